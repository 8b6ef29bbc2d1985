import { leaveLongTurn } from '@forgelet/core/operations'

/** Characters that are serialized in one go, which takes a millisecond. */
const pieceLength = 256 * 1024

/**
 * The characters of the texts in a JSON value, roughly those of its JSON.
 *
 * @param limit the measurement ends when the length exceeds it
 */
export const measureJson = (value: unknown, limit = Number.POSITIVE_INFINITY): number => {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object') return 5
  let length = 2
  if (Array.isArray(value)) {
    for (const item of value) {
      length += measureJson(item, limit - length)
      if (length > limit) return length
    }
    return length
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const key in fields) {
    const field = fields[key]
    // Most fields are texts and numbers; every reply is measured, so they do not cost a call.
    if (typeof field === 'string') length += key.length + 4 + field.length
    else if (typeof field === 'object' && field !== null) length += key.length + 4 + measureJson(field, limit - length)
    else length += key.length + 9
    if (length > limit) return length
  }
  return length
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff

/** @yields a long text as JSON, in pieces that do not split a character */
function* serializeText(text: string): Generator<string> {
  yield '"'
  for (let start = 0; start < text.length; ) {
    const end = start + pieceLength
    const next = end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end
    yield JSON.stringify(text.slice(start, next)).slice(1, -1)
    start = next
  }
  yield '"'
}

const hasToJson = (value: object): boolean => typeof (value as { toJSON?: unknown }).toJSON === 'function'

/** @yields the same text as `JSON.stringify`, in pieces; nothing for a value that JSON leaves out */
function* serialize(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > pieceLength) {
    yield* serializeText(value)
  } else if (
    value === null ||
    typeof value !== 'object' ||
    hasToJson(value) ||
    measureJson(value, pieceLength) <= pieceLength
  ) {
    const text: string | undefined = JSON.stringify(value)
    if (text !== undefined) yield text
  } else if (Array.isArray(value)) {
    let separator = '['
    for (const item of value) {
      yield separator
      yield* serialize(item ?? null)
      separator = ','
    }
    yield separator === '[' ? '[]' : ']'
  } else {
    let separator = '{'
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue
      yield `${separator}${JSON.stringify(key)}:`
      yield* serialize(inner)
      separator = ','
    }
    yield separator === '{' ? '{}' : '}'
  }
}

/**
 * Serializes JSON as fast as the client receives it, in pieces between which the event loop continues.
 *
 * @yields pieces of about 256 KiB
 */
export async function* streamJson(value: unknown): AsyncGenerator<Buffer> {
  let piece = ''
  for (const part of serialize(value)) {
    piece += part
    if (piece.length < pieceLength) continue
    const bytes = Buffer.from(piece)
    piece = ''
    yield bytes
    const turn = leaveLongTurn()
    if (turn) await turn
  }
  if (piece !== '') yield Buffer.from(piece)
}
