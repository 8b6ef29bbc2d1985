import { redactJson } from './redact-json.ts'
import { isSecretName, isSecretNumber, type SecretFields } from './secret-fields.ts'

const decodeIfValid = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The names of `variables[][value]`: variables, an empty one, and value. */
const toPath = (name: string): readonly string[] => {
  const [head = ''] = name.split('[', 1)
  return [head, ...[...name.slice(head.length).matchAll(/\[([^\]]*)\]?/g)].map(([, part = '']) => part)]
}

const isSecretField = (name: string, isSecret: SecretFields): boolean => {
  const path = toPath(name)
  return path.some(isSecretName) || isSecret(path)
}

/** Replaces secret values in a query or a form. */
const redactForm = (text: string, isSecret: SecretFields, replacement: string): string =>
  text
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      if (equals < 0 || equals === pair.length - 1) return pair
      const name = pair.slice(0, equals)
      return isSecretField(decodeIfValid(name), isSecret) ? `${name}=${replacement}` : pair
    })
    .join('&')

const partName = /^content-disposition:[^\r\n]*?[\s;]name\*?=(?:"([^"\r\n]*)"?|([^\s;]*))/im

const redactPart = (part: string, isSecret: SecretFields, replacement: string): string => {
  const separator = /\r?\n\r?\n/.exec(part)
  if (separator === null) return part
  const start = separator.index + separator[0].length
  const [, quoted, plain = ''] = partName.exec(part.slice(0, separator.index)) ?? []
  if (!isSecretField(quoted ?? plain, isSecret)) return part
  const end = /\r?\n$/.exec(part)?.[0] ?? ''
  return `${part.slice(0, start)}${replacement}${end}`
}

/** Replaces secret values in a multipart body, whose first line is its boundary. */
const redactMultipart = (text: string, isSecret: SecretFields, replacement: string): string => {
  const [boundary] = /^--[^\r\n]+/.exec(text.trimStart()) ?? []
  if (boundary === undefined) return text
  return text
    .split(boundary)
    .map((part) => redactPart(part, isSecret, replacement))
    .join(boundary)
}

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
  'unleash-instanceid',
  'x-sentry-auth',
])

/** Where the value of a field starts; the first group is the name. Names in queries can be nested: `user[password]`. */
const jsonTexts = /"([\w.-]{1,200})"\s{0,8}:\s{0,8}"/g
const jsonNumbers = /"([\w.-]{1,200})"\s{0,8}:\s{0,8}(?=[0-9])/g
const formFields = /(?:^|[?&])([\w.%[\]-]{1,200})=/g
const multipartFields = /name="([\w.[\]-]{1,200})"\r?\n\r?\n/g

/** The values, including one that is truncated at the end of the text. */
const jsonText = /(?:[^"\\]|\\[\s\S]?)*/y
const jsonNumber = /[^\s",}]*/y
const formValue = /[^&\s"'<>]*/y
const multipartValue = /[^\r\n]*/y

/** Replaces the values of fields with a secret name. */
const redactFields = (
  text: string,
  fields: RegExp,
  value: RegExp,
  replacement: string,
  isSecret: (name: string) => boolean = isSecretName,
): string => {
  let result = ''
  let at = 0
  for (const { 0: start, 1: name = '', index } of text.matchAll(fields)) {
    const from = index + start.length
    if (from < at || !isSecret(name)) continue
    value.lastIndex = from
    result += text.slice(at, from) + replacement
    at = from + (value.exec(text)?.[0].length ?? 0)
  }
  return result + text.slice(at)
}

/** The API also accepts numbers as text. */
const isSecretNumberName = (name: string) => isSecretName(name) && isSecretNumber(name)

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
  let result = redactStructure(text, source).replace(privateKeys, `$1${redacted}$2`)
  result = redactFields(result, jsonTexts, jsonText, redacted)
  result = redactFields(result, jsonNumbers, jsonNumber, `"${redacted}"`, isSecretNumberName)
  result = redactFields(result, formFields, formValue, redacted)
  result = redactFields(result, multipartFields, multipartValue, redacted)
  result = result.replace(urlCredentials, `$1${redacted}$2`).replace(tokenPrefixes, redacted)
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
