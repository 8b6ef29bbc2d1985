import { redactForm, redactMultipart } from './redact-form.ts'
import { redactJson } from './redact-json.ts'
import { isSecretName, type SecretFields } from './secret-fields.ts'

/** Replaces secrets. */
const redacted = '[redacted]'

const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'private-token',
  'job-token',
  'deploy-token',
])

/** JSON fields with a secret name, including a value truncated at the end of the text. */
const jsonFields =
  /("[\w.-]{0,60}(?:token|secret|password|passwd|passphrase|private_key|credential|api_key|access_key|client_key)[\w.-]{0,60}"\s{0,8}:\s{0,8}")((?:[^"\\]|\\[\s\S]?)*)("|$)/gi
/** JSON fields with a secret name whose value is not a string, such as a number that the API accepts as text. */
const jsonNumbers =
  /("[\w.-]{0,60}(?:secret|password|passwd|api_key|access_key|client_key)[\w.-]{0,60}"\s{0,8}:\s{0,8})[0-9][^\s",}]*/gi
/** Fields of forms and queries, including nested ones such as `user[password]`. */
const formFields =
  /(^|[?&])([\w.%[\]-]{0,60}(?:token|secret|password|passwd|passphrase|private_key|credential|api_key|access_key|client_key)[\w.%[\]-]{0,60}=)([^&\s"'<>]*)/gi
/** Fields of multipart bodies. */
const multipartFields =
  /(name="[\w.[\]-]{0,60}(?:token|secret|password|passwd|passphrase|private_key|credential|api_key|access_key|client_key)[\w.[\]-]{0,60}"\r?\n\r?\n)([^\r\n]*)/gi
/** Private keys as PEM, plain, escaped or percent-encoded. */
const privateKeys =
  /(-----BEGIN[A-Z0-9 +%]{0,40}PRIVATE(?: |\+|%20)KEY-----)[\s\S]*?(-----END[A-Z0-9 +%]{0,40}PRIVATE(?: |\+|%20)KEY-----|$)/g
/** Credentials in URLs: `https://user:password@host`, plain or percent-encoded. */
const urlCredentials = /(:\/\/|%3A%2F%2F)[^\s/:@"'&%]{0,200}(?::|%3A)[^\s/@"'&]{0,200}?(@|%40)/gi

/** Tokens with the prefixes of Forgelet and GitLab. */
const tokenPrefixes = /\b(?:fgpat|fgoas|glpat|glcbt|gldt|glrt|glsoat|glptt)-[\w.-]+/g

/** What is known of a text. */
export interface TextSource {
  readonly credentials?: readonly string[]
  /** Secrets of its route beside those with a secret name. */
  readonly isSecret?: SecretFields
  readonly format?: 'form' | 'multipart' | undefined
}

const redactStructure = (text: string, { isSecret = () => false, format }: TextSource): string => {
  if (format === 'form') return redactForm(text, isSecret, redacted)
  if (format === 'multipart') return redactMultipart(text, isSecret, redacted)
  return /^\s{0,100}[[{]/.test(text) ? redactJson(text, isSecret, redacted) : text
}

/** Removes secrets from the text of a body or a query, in linear time. */
export const redactText = (text: string, source: TextSource = {}): string => {
  if (text === '') return text
  let result = redactStructure(text, source)
    .replace(privateKeys, `$1${redacted}$2`)
    .replace(jsonFields, `$1${redacted}$3`)
    .replace(jsonNumbers, `$1"${redacted}"`)
    .replace(formFields, `$1$2${redacted}`)
    .replace(multipartFields, `$1${redacted}`)
    .replace(urlCredentials, `$1${redacted}$2`)
    .replace(tokenPrefixes, redacted)
  for (const credential of source.credentials ?? []) result = result.replaceAll(credential, redacted)
  return result
}

/** Removes secrets from headers. `Authorization` keeps its scheme. */
export const redactHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!secretHeaders.has(name.toLowerCase()) && !isSecretName(name)) return [name, redactText(value)]
      const [scheme, rest] = value.split(' ', 2)
      return [name, rest === undefined || value === '' ? redacted : `${scheme} ${redacted}`]
    }),
  )

/** Shorter credentials are not searched for, because they occur in ordinary text. */
const minCredentialLength = 6

/** The credentials of a request, which are also removed from its body and its response. */
export const readCredentials = (header: (name: string) => string | undefined): readonly string[] => {
  const authorization = header('authorization')?.split(' ', 2)[1]
  return [authorization, header('private-token'), header('job-token'), header('deploy-token')].filter(
    (value): value is string => value !== undefined && value.length >= minCredentialLength,
  )
}
