const isBlankOrControl = (character: string) => character <= ' ' || character === '\u007f'

/**
 * Why a URL cannot be stored as a link; undefined when it can. Browsers open these links, so only http and https are
 * allowed. Whether the host can be reached is not checked.
 */
export const webUrlProblem = (text: string): string | undefined => {
  // `URL.parse` silently removes line breaks and tabs, as in `java\nscript:`.
  if ([...text].some(isBlankOrControl)) return 'URI is invalid'
  if (!/^https?:\/\//i.test(text)) return 'Only allowed schemes are http, https'
  const url = URL.parse(text)
  if (!url) return 'URI is invalid'
  return /^(?:[a-z0-9]|\[)/i.test(url.hostname) ? undefined : 'Hostname or IP address invalid'
}
