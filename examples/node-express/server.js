const express = require("express");

const app = express();

app.get("/", (request, response) => {
  response.json({ message: process.env.GREETING ?? "Hello from Slipway" });
});

const server = app.listen(process.env.PORT ?? 3000, () => {
  console.log(`Listening on port ${server.address().port}`);
});

// Slipway sends SIGTERM after the last request has been answered.
process.on("SIGTERM", () => server.close());
