const mask = '*****'

/** Characters that end the authority of a URL within text. */
const authorityEnd = /[/\s"'`<>|]/

const maskAuthority = (authority: string): string => {
  const at = authority.lastIndexOf('@')
  if (at < 0) return authority
  const colon = authority.indexOf(':')
  const user = authority.slice(0, colon < 0 || colon > at ? at : colon)
  const maskedUser = user === 'git' || user === '' ? user : mask
  return `${maskedUser}${colon >= 0 && colon < at ? `:${mask}` : ''}${authority.slice(at)}`
}

const maskUrls = (text: string): string => {
  let result = ''
  let position = 0
  for (let start = text.indexOf('://'); start >= 0; start = text.indexOf('://', position)) {
    const from = start + 3
    let end = from
    while (end < text.length && !authorityEnd.test(text.charAt(end))) end += 1
    result += text.slice(position, from) + maskAuthority(text.slice(from, end))
    position = end
  }
  return result + text.slice(position)
}

const encodeSecret = (secret: string): string[] => [secret, encodeURI(secret), encodeURIComponent(secret)]

/**
 * Masks user and password in all URLs in a text, for any scheme. The user `git` is kept. `secrets` are masked
 * everywhere, plain or percent-encoded, because programs may print credentials outside of URLs.
 */
export const maskCredentials = (text: string, secrets: readonly string[] = []): string => {
  const forms = secrets.filter((secret) => secret !== '').flatMap((secret) => encodeSecret(secret.toWellFormed()))
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length)
  return longestFirst.reduce((masked, form) => masked.replaceAll(form, mask), maskUrls(text))
}
