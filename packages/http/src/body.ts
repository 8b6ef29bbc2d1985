import { fold, noParameters, type Parameters, queryParameters, UnreadableParameters } from './parameters.ts'

const depthLimit = 32
const keyLimit = 10_000

/** The request's content type is none that carries parameters. */
export class UnsupportedContentType extends Error {}

const unsupported = (type: string) =>
  new UnsupportedContentType(`The provided content-type '${type.slice(0, 100)}' is not supported.`)

/** Looks at nesting and size before parsing: the parser itself takes any depth. */
const refuseMonsters = (text: string) => {
  let depth = 0
  let keys = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at++
      else if (code === 0x22) inString = false
      continue
    }
    if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) depth++
    else if (code === 0x5d || code === 0x7d) depth--
    else if (code === 0x3a || code === 0x2c) keys++
    if (depth > depthLimit) throw new UnreadableParameters('The JSON body is nested too deeply')
    if (keys > keyLimit * 2) throw new UnreadableParameters('The JSON body has too many entries')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const textOf = (bytes: Uint8Array) => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new UnreadableParameters('The body is not valid UTF-8')
  }
}

const jsonParameters = (bytes: Uint8Array): Parameters => {
  const text = textOf(bytes)
  if (text.trim() === '') return noParameters()
  refuseMonsters(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UnreadableParameters('The body is not valid JSON')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return noParameters()
  // Fields are read by their declared names as own properties: what the text may have done to a prototype is not seen.
  return value as Parameters
}

/** A file as the input of an operation: its name and its bytes. */
const fileOf = async (file: File) => ({ file_name: file.name, content: new Uint8Array(await file.arrayBuffer()) })

const multipartParameters = async (bytes: Uint8Array, type: string, files: readonly string[]): Promise<Parameters> => {
  let form: FormData
  try {
    form = await new Response(bytes as BodyInit, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new UnreadableParameters('The multipart body cannot be read')
  }
  const pairs: [string, unknown][] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') pairs.push([name, value])
    else pairs.push([name, files.includes(name) ? await fileOf(value) : await value.text()])
  }
  return fold(pairs)
}

/** `Text/HTML; charset=utf-8` is `text/html`. */
const mediaTypeOf = (contentType: string): string => {
  const end = contentType.indexOf(';')
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

/**
 * Parameters of a body, by its content type: JSON, form or multipart (a file counts as its text, unless it is named in `files`).
 *
 * @param jsonOnly whether the two others are refused
 */
export function bodyParameters(
  bytes: Uint8Array,
  contentType: string | undefined,
  jsonOnly = false,
  files: readonly string[] = [],
): Parameters | Promise<Parameters> {
  if (bytes.length === 0) return noParameters()
  const type = mediaTypeOf(contentType ?? '')
  if (type === 'application/json' || type.endsWith('+json')) return jsonParameters(bytes)
  if (jsonOnly) throw unsupported(type)
  if (type === 'application/x-www-form-urlencoded') return queryParameters(textOf(bytes))
  if (type === 'multipart/form-data') return multipartParameters(bytes, contentType as string, files)
  throw unsupported(type)
}
