const config = { output: "standalone" };
export default config;
