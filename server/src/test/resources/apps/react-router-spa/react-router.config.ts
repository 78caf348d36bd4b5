export default {
  // no server
  ssr: false,
};
