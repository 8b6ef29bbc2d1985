/** The largest `_redirects` file in bytes; larger ones are ignored. Both limits are those of GitLab. */
export const maxRedirectsSize = 64 * 1024
const maxRules = 1_000

interface RedirectRule {
  /** Host of a rule for a whole domain; null for all hosts. */
  readonly host: string | null
  readonly segments: readonly string[]
  readonly to: string
  readonly status: 200 | 301 | 302
}

const isStatus = (status: number): status is RedirectRule['status'] => [200, 301, 302].includes(status)

/** `https://www.example.com/a` or `/a`: the host and the path; undefined for anything else, such as `//example.com`. */
const splitAddress = (text: string): { readonly host: string | null; readonly path: string } | undefined => {
  if (/^\/(?!\/)/.test(text)) return { host: null, path: text }
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  return url ? { host: url.host, path: url.pathname } : undefined
}

/** One line: `from to status`. Lines with other options are ignored, as are comments. */
const parseRule = (line: string): RedirectRule | undefined => {
  const [from = '', to = '', statusText = '301', ...options] = line.trim().split(/\s+/)
  const status = Number(statusText)
  const source = splitAddress(from)
  const target = splitAddress(to)
  if (from.startsWith('#') || options.length || !source || !target || !isStatus(status)) return undefined
  if (status === 200 && target.host !== null) return undefined
  const segments = source.path.split('/').slice(1)
  const splat = segments.indexOf('*')
  return splat === -1 || splat === segments.length - 1 ? { host: source.host, segments, to, status } : undefined
}

type Values = ReadonlyMap<string, string>

/** The values of the placeholders of a rule for a path; undefined if the rule does not match. The cost is that of the path. */
const matchSegments = ({ segments }: RedirectRule, parts: readonly string[]): Values | undefined => {
  const values = new Map<string, string>()
  for (const [at, segment] of segments.entries()) {
    if (segment === '*') return values.set('splat', parts.slice(at).join('/'))
    const part = parts[at]
    if (part === undefined || part === '') {
      if (part === segment) continue
      return undefined
    }
    if (segment.startsWith(':')) values.set(segment.slice(1), part)
    else if (segment !== part) return undefined
  }
  return parts.length === segments.length ? values : undefined
}

/** A value that begins with a slash must not turn a path into the address of another host. */
const insertValues = (to: string, values: Values): string => {
  const text = to.replace(/:([A-Za-z]\w*)/g, (placeholder, name: string) => values.get(name) ?? placeholder)
  return to.startsWith('/') ? text.replace(/^[/\\]+/, '/') : text
}

/**
 * The first rule of a `_redirects` file that matches: where it leads, with which status; 200 for another file of the site. Supported
 * are those of GitLab: paths and domains, placeholders, and `*` at the end.
 *
 * @param path as requested, percent-encoded
 */
export const findRedirect = (
  text: string,
  { host, path }: { readonly host: string | undefined; readonly path: string },
): { readonly to: string; readonly status: 200 | 301 | 302 } | undefined => {
  const parts = path.split('/').slice(1)
  let count = 0
  for (const line of text.split('\n')) {
    const rule = parseRule(line)
    if (rule === undefined) continue
    count += 1
    if (count > maxRules) return undefined
    const values = rule.host === null || rule.host === host ? matchSegments(rule, parts) : undefined
    if (values) return { to: insertValues(rule.to, values), status: rule.status }
  }
  return undefined
}
