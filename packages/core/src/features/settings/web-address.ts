const blankOrControl = (character: string) => character <= ' ' || character === '\u007f'

/**
 * Why a stored link is refused, undefined when it is an ordinary web address.
 * Links run in browsers, so only http and https are allowed; which host they name is not judged here.
 */
export const webAddressProblem = (address: string): string | undefined => {
  // The parser would silently drop line breaks and tabs, so `java\nscript:` has to be caught before.
  if ([...address].some(blankOrControl)) return 'URI is invalid'
  if (!/^https?:\/\//i.test(address)) return 'Only allowed schemes are http, https'
  const url = URL.parse(address)
  if (!url) return 'URI is invalid'
  return /^(?:[a-z0-9]|\[)/i.test(url.hostname) ? undefined : 'Hostname or IP address invalid'
}
