const mask = '*****'

/** Where the part of a URL that can hold credentials ends, in running text. */
const endsAuthority = /[/\s"'`<>|]/

const masked = (authority: string): string => {
  const at = authority.lastIndexOf('@')
  if (at < 0) return authority
  const colon = authority.indexOf(':')
  const user = authority.slice(0, colon < 0 || colon > at ? at : colon)
  const shown = user === 'git' || user === '' ? user : mask
  return `${shown}${colon >= 0 && colon < at ? `:${mask}` : ''}${authority.slice(at)}`
}

const inUrls = (text: string): string => {
  let result = ''
  let position = 0
  for (let start = text.indexOf('://'); start >= 0; start = text.indexOf('://', position)) {
    const from = start + 3
    let end = from
    while (end < text.length && !endsAuthority.test(text.charAt(end))) end += 1
    result += text.slice(position, from) + masked(text.slice(from, end))
    position = end
  }
  return result + text.slice(position)
}

const encodings = (secret: string): string[] => [secret, encodeURI(secret), encodeURIComponent(secret)]

/**
 * The text with user and password of every URL in it masked, in any scheme; the user `git` stays. `secrets` are masked wherever they
 * appear, plain or percent-encoded, for programs that print what they were given in a form of their own.
 */
export const withoutCredentials = (text: string, secrets: readonly string[] = []): string => {
  const forms = secrets.filter((secret) => secret !== '').flatMap((secret) => encodings(secret.toWellFormed()))
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length)
  return longestFirst.reduce((scrubbed, form) => scrubbed.replaceAll(form, mask), inUrls(text))
}
