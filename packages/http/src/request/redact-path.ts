/** Names of query and form parameters with secret values. */
const secretNamePattern =
  /^(?:private|access|job|deploy|refresh|feed|rss|authenticity|runner|trigger|scim)?[-_]?token$|secret|password/i

const placeholder = '[hidden]'

/** Tokens with the prefixes of Forgelet and GitLab. */
const tokenPattern = /\b(?:fgpat|fgoas|glpat|glcbt|gldt|glrt|glsoat|glptt)-[\w.-]+/g

const decodeIfValid = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const redactPair = (pair: string): string => {
  const equals = pair.indexOf('=')
  if (equals < 0) return pair
  const name = pair.slice(0, equals)
  return secretNamePattern.test(decodeIfValid(name)) ? `${name}=${placeholder}` : pair
}

/**
 * The path of a request target for logs: without the query, which can contain credentials, and with credentials in the
 * path replaced, as sent by clients that build URLs incorrectly. At most 2,048 characters.
 */
export const redactPath = (target: string): string => {
  const [path = ''] = target.split(/[?#]/, 1)
  const segments = path.split('/').map((segment) => {
    const decoded = decodeIfValid(segment)
    const redacted = decoded.replace(tokenPattern, placeholder)
    const safe = redacted === decoded ? segment : redacted
    // `labels%3Fprivate_token=…` is a query that was encoded twice.
    return safe
      .split(/(\?|%3f|&|%26|;|%3b)/i)
      .map(redactPair)
      .join('')
  })
  return segments.join('/').slice(0, 2_048)
}
