// Nothing is fetched from, or sent to, any host but this one.
Scalar.createApiReference("#reference", {
  sources: [
    { title: "Slipway", slug: "slipway", url: "/v1/openapi.json" },
    { title: "Plant store", slug: "plant-store", url: "/sandbox/openapi.json" },
  ],
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "none",
});
