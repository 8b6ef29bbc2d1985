/** What stands where a secret stood. */
const redacted = '[redacted]'

const secretName = /token|secret|password|passwd|private[-_]?key|credential/i

const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'private-token',
  'job-token',
  'deploy-token',
])

/** Fields of JSON by their names; also one that was cut off in the middle of its value. */
const jsonFields =
  /("[\w.-]{0,60}(?:token|secret|password|passwd|private_key|credential)[\w.-]{0,60}"\s{0,8}:\s{0,8}")((?:[^"\\]|\\[\s\S]?)*)("|$)/gi
/** Fields of forms and queries, nested ones such as `user[password]` among them. */
const formFields =
  /(^|[?&])([\w.%[\]-]{0,60}(?:token|secret|password|passwd|private_key|credential)[\w.%[\]-]{0,60}=)([^&\s"'<>]*)/gi
/** Fields of multipart bodies. */
const parts =
  /(name="[\w.[\]-]{0,60}(?:token|secret|password|passwd|private_key|credential)[\w.[\]-]{0,60}"\r?\n\r?\n)([^\r\n]*)/gi
/** Private keys as PEM, plain, escaped or percent-encoded. */
const pem =
  /(-----BEGIN[A-Z0-9 +%]{0,40}PRIVATE(?: |\+|%20)KEY-----)[\s\S]*?(-----END[A-Z0-9 +%]{0,40}PRIVATE(?: |\+|%20)KEY-----|$)/g
/** The credentials of an address: `https://user:password@host`, plain or percent-encoded. */
const addresses = /(:\/\/|%3A%2F%2F)[^\s/:@"'&%]{0,200}(?::|%3A)[^\s/@"'&]{0,200}?(@|%40)/gi

/** Takes secrets out of the text of a body or a query. Takes time in proportion to the text. */
export const withoutSecrets = (text: string, credentials: readonly string[] = []): string => {
  if (text === '') return text
  let safe = text
    .replace(pem, `$1${redacted}$2`)
    .replace(jsonFields, `$1${redacted}$3`)
    .replace(formFields, `$1$2${redacted}`)
    .replace(parts, `$1${redacted}`)
    .replace(addresses, `$1${redacted}$2`)
  for (const credential of credentials) safe = safe.replaceAll(credential, redacted)
  return safe
}

/** Takes secrets out of headers. `Authorization` keeps its scheme. */
export const headersWithoutSecrets = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!secretHeaders.has(name.toLowerCase()) && !secretName.test(name)) return [name, withoutSecrets(value)]
      const [scheme, rest] = value.split(' ', 2)
      return [name, rest === undefined || value === '' ? redacted : `${scheme} ${redacted}`]
    }),
  )

/** Too short to be looked for: it would be found in words that are no secrets. */
const shortest = 6

/** What a request shows to be let in, to be taken out wherever else it stands. */
export const credentialsOf = (header: (name: string) => string | undefined): readonly string[] => {
  const authorization = header('authorization')?.split(' ', 2)[1]
  return [authorization, header('private-token'), header('job-token')].filter(
    (value): value is string => value !== undefined && value.length >= shortest,
  )
}
