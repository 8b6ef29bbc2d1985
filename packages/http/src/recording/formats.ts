import { messageOf } from '../app/error-text.ts'
import { type JsonObject, readField, readObject, toObject } from './json-fields.ts'
import { isNestedTooDeeply, maxEntries, maxRecordingLength } from './limits.ts'
import { decodeBody } from './recorded-body.ts'
import { RecordingError } from './recording-error.ts'

/** A request and its response. Headers are never read: they contain credentials. */
export interface RecordedExchange {
  /** In upper case. */
  readonly method: string
  readonly url: string
  readonly status: number
  /** Undefined if it is omitted or cannot be decoded. A string is text, or JSON as text. */
  readonly body: unknown
}

const parseJson = (text: string): unknown => {
  if (isNestedTooDeeply(text)) throw new RecordingError('The recording is nested too deeply')
  return JSON.parse(text)
}

/** One JSON value, or one in each line. */
const parseText = (text: string): unknown => {
  if (text.length > maxRecordingLength) {
    throw new RecordingError(`The recording has more than ${maxRecordingLength / 1_000_000} million characters`)
  }
  const source = text.replace(/^\uFEFF/, '').trim()
  try {
    return parseJson(source)
  } catch (error) {
    if (error instanceof RecordingError || !/^\{.*\}\s*\n\s*\{/.test(source)) throw error
    return source
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(parseJson)
  }
}

/** JSON of a value: cycles are rejected, and functions and prototypes are removed. */
const toText = (recording: unknown): string => {
  if (typeof recording === 'string') return recording
  try {
    return JSON.stringify(recording) ?? ''
  } catch (error) {
    throw new RecordingError('The recording is not a JSON value', { cause: error })
  }
}

/** HAR `log.entries`, of browsers, proxies and Polly.js; `http_interactions` and `interactions` of cassettes; or an array. */
const findEntries = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value
  const root = toObject(value)
  if (!root) return undefined
  const log = readObject(root, 'log') ?? root
  const entries = ['entries', 'http_interactions', 'interactions'].map((name) => readField(log, name))
  return entries.find(Array.isArray) ?? (readField(root, 'url') === undefined ? undefined : [root])
}

const firstText = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')

const toStatus = (...values: readonly unknown[]): number => {
  const status = values.map((value) => readField(toObject(value) ?? { code: value }, 'code')).find(Number.isInteger)
  return (status as number | undefined) ?? 0
}

/** nock: `scope` is the origin, `path` contains the query, and the body is in `response`. */
const readNock = (entry: JsonObject) => ({
  method: readField(entry, 'method'),
  url: `${readField(entry, 'scope')}${readField(entry, 'path')}`,
  status: toStatus(readField(entry, 'status')),
  body: decodeBody(readField(entry, 'response'), Array.isArray(readField(entry, 'response')) ? 'hex' : undefined),
})

/** `{ request, response }`: HAR has `content`, cassettes have `body`, both with an optional encoding. */
const readNested = (request: JsonObject, response: JsonObject) => {
  const content = readField(response, 'content') ?? readField(response, 'body')
  const { text, string, base64_string: base64, encoding } = toObject(content) ?? {}
  return {
    method: readField(request, 'method'),
    url: firstText(readField(request, 'url'), readField(request, 'uri')),
    status: toStatus(readField(response, 'status')),
    body:
      typeof base64 === 'string'
        ? decodeBody(base64, 'base64')
        : decodeBody(text ?? string ?? content, encoding === 'base64' ? 'base64' : undefined),
  }
}

/** `{ method, url, status, body }`; the body can also be in `response`, as itself or as `{ status, body }`. */
const readFlat = (entry: JsonObject) => {
  const response = readField(entry, 'response')
  const inner = toObject(response)
  const isEnvelope = inner !== undefined && Object.hasOwn(inner, 'body')
  const body = isEnvelope ? readField(inner, 'body') : (readField(entry, 'body') ?? response)
  return {
    method: readField(entry, 'method'),
    url: firstText(readField(entry, 'url'), readField(entry, 'uri')),
    status: toStatus(readField(entry, 'status'), isEnvelope ? readField(inner, 'status') : undefined),
    body: decodeBody(body, undefined),
  }
}

const readEntry = (value: unknown): RecordedExchange | undefined => {
  const entry = toObject(value)
  if (!entry) return undefined
  const [request, response] = [readObject(entry, 'request'), readObject(entry, 'response')]
  const isNock = typeof readField(entry, 'scope') === 'string' && typeof readField(entry, 'path') === 'string'
  const { method, url, ...reply } = isNock
    ? readNock(entry)
    : request && response
      ? readNested(request, response)
      : readFlat(entry)
  if (typeof method !== 'string' || url === undefined) return undefined
  return { method: method.toUpperCase().slice(0, 20), url, ...reply }
}

/**
 * The requests and responses of a recording. Entries that are not a request are undefined.
 *
 * @throws RecordingError if the format is not supported or a limit is exceeded
 */
export const readRecording = (recording: unknown): readonly (RecordedExchange | undefined)[] => {
  let value: unknown
  try {
    value = parseText(toText(recording))
  } catch (error) {
    if (error instanceof RecordingError) throw error
    throw new RecordingError(`The recording is not valid JSON: ${messageOf(error)}`, { cause: error })
  }
  const entries = findEntries(value)
  if (!entries) {
    throw new RecordingError(
      'The recording has no requests: use a HAR file, a recording of nock or Polly.js, a cassette in JSON, or a list of { method, url, status, body }',
    )
  }
  if (entries.length > maxEntries) throw new RecordingError(`The recording has more than ${maxEntries} requests`)
  return entries.map(readEntry)
}

/** The value of a response that is JSON; undefined for other text. */
export const parseBody = (body: unknown): unknown => {
  if (typeof body !== 'string') return body
  if (!/^\s*[[{]/.test(body) || isNestedTooDeeply(body)) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
