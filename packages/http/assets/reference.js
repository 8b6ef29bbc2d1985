/** Renders the OpenAPI document of this server. The bundle also comes from this server. */

const root = new URL(document.documentElement.dataset.root, document.baseURI)
const resolveUrl = (path) => new URL(path, root).href

/** Attributes that the markup of the bundle lacks or has wrong values for, by selector. */
const corrections = {
  // Each operation has these regions, with the same names.
  '.scalar-card[role="region"]': { role: 'group' },
  '.scalar-code-copy:not([aria-label])': { 'aria-label': 'Copy' },
  '.code-input-lite__editor:not([aria-label])': { 'aria-label': 'Value', 'aria-expanded': 'false' },
  'ul.endpoints:not([tabindex])': { tabindex: '0' },
}

/** Names a button by its visible text first, for users of speech recognition. */
const renameButton = (button) => {
  button.setAttribute('aria-label', `${button.textContent.trim()} (${button.getAttribute('aria-label')})`)
  button.dataset.renamed = 'true'
}

const completeMarkup = () => {
  for (const [selector, attributes] of Object.entries(corrections)) {
    for (const element of document.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    }
  }
  document.querySelectorAll('button.show-more[aria-label]:not([data-renamed])').forEach(renameButton)
}

/** Completes the markup for screen readers after each change, at most once per frame. */
const keepMarkupComplete = () => {
  let isScheduled = false
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      completeMarkup()
    })
  }
  new MutationObserver(schedule).observe(document.body, { childList: true, subtree: true })
  schedule()
}

const render = async () => {
  const { createApiReference } = await import(new URL(document.documentElement.dataset.bundle, document.baseURI).href)
  createApiReference('#reference', {
    url: resolveUrl('api/v4/openapi.json'),
    // Requests go to the origin of the page, also if the document names another server.
    servers: [{ url: resolveUrl('.').replace(/\/$/, '') }],
    authentication: { preferredSecurityScheme: 'token' },
    title: 'Forgelet API',
    favicon: resolveUrl('-/reference/icon.svg'),
    // The commands of the document replace the generated ones, which lack values of the demo world.
    hiddenClients: ['shell/curl', 'unirest'],
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
  keepMarkupComplete()
}

render().catch((error) => {
  console.error(error)
  document.querySelector('#failure').hidden = false
})
