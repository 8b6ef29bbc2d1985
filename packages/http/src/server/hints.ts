import { matchRoute } from '../routing/match-route.ts'

/** A header that explains an error, because the API defines the body. */
export const hintHeader = 'X-Forgelet-Hint'

/** Segments of a full path that are tried. */
const maxPathDepth = 20

/** The URL of a route whose full path of a project or group was not encoded: `/projects/acme/web/labels`. */
const encodeFullPath = (method: string, path: string): string | undefined => {
  const [, start = '', rest = ''] = /^(\/api\/v4\/(?:projects|groups|namespaces)\/)(.+)$/.exec(path) ?? []
  const segments = rest.split('/').filter((segment) => segment !== '')
  for (let depth = 2; depth <= Math.min(segments.length, maxPathDepth); depth++) {
    const encoded = [segments.slice(0, depth).join('%2F'), ...segments.slice(depth)].join('/')
    if (matchRoute(method, start + encoded).kind !== 'none') return start + encoded
  }
  return undefined
}

/** Headers contain ASCII characters only. */
const isPrintable = (text: string) => /^[ -~]*$/.test(text)

/** The hint for a 404. */
export const explainNotFound = (method: string, path: string): string => {
  if (path.includes('/api/v4/api/')) return 'The path contains /api/v4 twice: configure your client without it'
  const mountPath = /^(\/.+?)\/api\/v4(?:\/|$)/.exec(path)?.[1]
  if (mountPath !== undefined) return `The path contains /api/v4: set baseUrl to a URL that ends with ${mountPath}`
  if (!path.startsWith('/api/')) return 'The API is served below /api/v4; its description is at /api/v4/openapi.json'
  const encoded = encodeFullPath(method, path)
  if (encoded !== undefined && isPrintable(encoded))
    return `The full path is one segment, with %2F for a slash: ${encoded}`
  return 'No such route; all routes are listed in /api/v4/openapi.json'
}

/** The hint for a 405. */
export const explainMethod = (method: string, allowed: string): string =>
  `${method} is not served at this path, only ${allowed}; all routes are listed in /api/v4/openapi.json`
