const mask = '*****'

/** Characters that end the authority of a URL within text. */
const authorityEnd = /[/\s"'`<>|]/

const maskAuthority = (authority: string): string => {
  const at = authority.lastIndexOf('@')
  if (at < 0) return authority
  const colon = authority.indexOf(':')
  const user = authority.slice(0, colon < 0 || colon > at ? at : colon)
  return `${user === '' ? '' : mask}${colon >= 0 && colon < at ? `:${mask}` : ''}${authority.slice(at)}`
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

/** Masking a shorter secret in a message would reveal it: the other letters of each word show which ones are masked. */
const minMaskableLength = 4

/** Masks a user before `@`, but not as the end of a longer name. */
const maskUser = (text: string, user: string): string =>
  text.replaceAll(`${user}@`, (match, offset: number) => (/[\w.-]/.test(text.charAt(offset - 1)) ? match : `${mask}@`))

export interface KnownCredentials {
  /** Masked before `@` outside of URLs too, as in `git@example.com: Permission denied`. */
  readonly user?: string | null | undefined
  /** Masked everywhere, plain or percent-encoded, because programs may print credentials outside of URLs. */
  readonly secrets?: readonly (string | null)[]
}

/** Masks user and password in all URLs in a text, for any scheme. Removes lines that contain a secret below 4 characters. */
export const maskCredentials = (text: string, { user, secrets = [] }: KnownCredentials = {}): string => {
  const known = secrets.flatMap((secret) => secret?.toWellFormed() || [])
  const short = known.filter(({ length }) => length < minMaskableLength).flatMap(encodeSecret)
  const lines = text.split('\n').filter((line) => !short.some((form) => line.includes(form)))
  const longestFirst = [...new Set(known.flatMap(encodeSecret))].sort((one, other) => other.length - one.length)
  const masked = longestFirst.reduce((rest, form) => rest.replaceAll(form, mask), maskUrls(lines.join('\n')))
  return user ? maskUser(masked, user) : masked
}
