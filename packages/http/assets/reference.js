/** Draws the description of this server's API. The code that does it comes from this server as well. */

const root = new URL(document.documentElement.dataset.root, document.baseURI)
const here = (address) => new URL(address, root).href

const draw = async () => {
  const { createApiReference } = await import(new URL(document.documentElement.dataset.bundle, document.baseURI).href)
  createApiReference('#reference', {
    url: here('api/v4/openapi.json'),
    // Requests go to the origin of the page, also if the document names another server.
    servers: [{ url: here('.').replace(/\/$/, '') }],
    authentication: { preferredSecurityScheme: 'token' },
    title: 'Forgelet API',
    favicon: here('-/reference/icon.svg'),
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    documentDownloadType: 'json',
    tagsSorter: 'alpha',
    // The page requests nothing from other servers.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  })
}

draw().catch((error) => {
  console.error(error)
  document.querySelector('#failure').hidden = false
})
