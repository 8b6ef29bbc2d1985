import { isSecretName, isSecretNumber, type SecretFields } from './secret-fields.ts'

/** Names of the enclosing mappings that decide whether a value is secret. */
const maxNames = 4

interface Level {
  readonly isList: boolean
  /** Whether all values are secret. */
  readonly isSecret: boolean
  readonly path: readonly string[]
  /** The last name of a mapping; undefined before the first. */
  name: string | undefined
  expectsName: boolean
}

/** Strings, also cut off at the end of the text, punctuation, and other values. */
const tokens = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|[{}[\],:]|[^\s"{}[\],:]+/g

const decodeName = (token: string): string => {
  try {
    return String(JSON.parse(token))
  } catch {
    return token.slice(1)
  }
}

/** Replaces secret values in JSON, also in one that is cut off, in linear time. Keeps everything else as it is written. */
export const redactJson = (text: string, isSecret: SecretFields, replacement: string): string => {
  const levels: Level[] = []
  let result = ''
  let at = 0
  const placeOf = (level: Level | undefined) => {
    const name = level?.isList === false ? (level.name ?? '') : ''
    const path = level ? [...level.path, name].slice(-maxNames) : []
    const secret = level !== undefined && (level.isSecret || isSecretName(name) || isSecret(path))
    return { name, path, secret }
  }
  for (const match of text.matchAll(tokens)) {
    const [token] = match
    const level = levels.at(-1)
    if (token === '{' || token === '[') {
      const { path, secret } = placeOf(level)
      // Fields beside a secret one, such as the key of a variable, decide for themselves.
      const isInherited = level !== undefined && (level.isSecret || isSecretName(path.at(-1) ?? ''))
      levels.push({ isList: token === '[', isSecret: secret && isInherited, path, name: undefined, expectsName: true })
    } else if (token === '}' || token === ']') levels.pop()
    else if (token === ',') {
      if (level) level.expectsName = true
    } else if (token === ':') {
      if (level) level.expectsName = false
    } else if (level && !level.isList && level.expectsName) level.name = decodeName(token)
    else {
      const { name, path, secret } = placeOf(level)
      const isText = token.startsWith('"')
      const isWord = !isText && /^(?:null|true|false)$/.test(token)
      const canBeSecret = isText
        ? token !== '""'
        : !isWord && (level?.isSecret || isSecret(path) || isSecretNumber(name))
      if (!secret || !canBeSecret) continue
      const isClosed = !isText || (token.length > 1 && token.endsWith('"') && !/[^\\](?:\\\\)*\\"$/.test(token))
      result += `${text.slice(at, match.index)}"${replacement}${isClosed ? '"' : ''}`
      at = match.index + token.length
    }
  }
  return result + text.slice(at)
}
