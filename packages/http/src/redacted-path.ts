/** Names whose values are secrets, as they appear in queries and forms. */
const secretNames =
  /^(?:private|access|job|deploy|refresh|feed|rss|authenticity|runner|trigger|scim)?[-_]?token$|secret|password/i

const hidden = '[hidden]'

/** A personal token of this program or of its kind, wherever in a text it stands. */
const tokenShape = /\b(?:fgpat|glpat|glcbt|gldt|glrt|glsoat|glptt)-[\w.-]+/g

const plain = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const redactedPair = (pair: string): string => {
  const at = pair.indexOf('=')
  if (at < 0) return pair
  return secretNames.test(plain(pair.slice(0, at))) ? `${pair.slice(0, at)}=${hidden}` : pair
}

/**
 * The path of an address as it may stand in a log: without its query, which can hold credentials in many spellings, and
 * without what looks like one in the path itself, where it comes when a client builds addresses wrongly.
 */
export const redactedPath = (target: string): string => {
  const [path = ''] = target.split(/[?#]/, 1)
  const segments = path.split('/').map((segment) => {
    const told = plain(segment).replace(tokenShape, hidden)
    const shape = told === plain(segment) ? segment : told
    // `labels%3Fprivate_token=…` is a query that was encoded once too often.
    const asked = shape.split(/(\?|%3f|&|%26|;|%3b)/i)
    return asked.map(redactedPair).join('')
  })
  return segments.join('/').slice(0, 2_048)
}
