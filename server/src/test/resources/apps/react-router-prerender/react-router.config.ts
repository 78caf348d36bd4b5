export default {
  ssr: false,
  prerender: ["/"],
  buildDirectory: "out",
};
