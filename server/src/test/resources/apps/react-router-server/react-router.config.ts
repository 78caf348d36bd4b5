export default {
  ssr: true,
};
