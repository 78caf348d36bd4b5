module.exports = {
  output: process.env.DOCKER ? "standalone" : undefined,
};
