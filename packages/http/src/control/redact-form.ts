import { isSecretName, type SecretFields } from './secret-fields.ts'

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
export const redactForm = (text: string, isSecret: SecretFields, replacement: string): string =>
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
export const redactMultipart = (text: string, isSecret: SecretFields, replacement: string): string => {
  const [boundary] = /^--[^\r\n]+/.exec(text.trimStart()) ?? []
  if (boundary === undefined) return text
  return text
    .split(boundary)
    .map((part) => redactPart(part, isSecret, replacement))
    .join(boundary)
}
