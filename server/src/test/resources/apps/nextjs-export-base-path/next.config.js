module.exports = { output: "export", basePath: "/docs" };
