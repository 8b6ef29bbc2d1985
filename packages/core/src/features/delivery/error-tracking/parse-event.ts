import { createHash } from 'node:crypto'
import type { ErrorEvent, StackFrame } from './tracked-error.ts'

/** An event of a client, ready to be stored. */
export interface ParsedEvent {
  readonly name: string
  readonly message: string
  readonly culprit: string
  /** SHA-256 of what events of the same error have in common, in hexadecimal. */
  readonly fingerprint: string
  readonly event: ErrorEvent
}

const maxFrames = 50
const maxNameLength = 255
const maxTextLength = 2_000
/** Items of one envelope. */
const maxItems = 100

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text within a limit that the databases store; undefined for other values. */
const toText = (value: unknown, maximum = maxNameLength): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value.slice(0, maximum).toWellFormed().replaceAll('\0', '\uFFFD')
    : undefined

const toLine = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

const toFrame = (frame: unknown): StackFrame => ({
  file: toText(fieldOf(frame, 'filename')) ?? toText(fieldOf(frame, 'abs_path')) ?? null,
  function: toText(fieldOf(frame, 'function')) ?? null,
  line: toLine(fieldOf(frame, 'lineno')),
})

/** An address without its parameters, which can contain secrets. */
const withoutQuery = (text: string) => text.replace(/[?#].*$/s, '')

/** The exceptions of an event are a list, or a mapping with it. The last one is the outermost. */
const findException = (event: unknown): unknown => {
  const exception = fieldOf(event, 'exception')
  return itemsOf(Array.isArray(exception) ? exception : fieldOf(exception, 'values')).at(-1)
}

const findMessage = (event: unknown): string | undefined => {
  const entry = fieldOf(event, 'logentry')
  return [fieldOf(event, 'message'), fieldOf(entry, 'formatted'), fieldOf(entry, 'message')]
    .map((text) => toText(typeof text === 'object' ? fieldOf(text, 'formatted') : text, maxTextLength))
    .find((text) => text !== undefined)
}

/** An event in Sentry's format; undefined for a value that has neither an exception nor a message. */
export const parseEvent = (event: unknown): ParsedEvent | undefined => {
  const exception = findException(event)
  const text = findMessage(event)
  if (exception === undefined && text === undefined) return undefined
  const name = toText(fieldOf(exception, 'type')) ?? 'Message'
  const message = toText(fieldOf(exception, 'value'), maxTextLength) ?? text ?? ''
  const frames = itemsOf(fieldOf(fieldOf(exception, 'stacktrace'), 'frames'))
  const stack = frames.slice(-maxFrames).reverse().map(toFrame)
  const [innermost] = stack
  const place = innermost && [innermost.function, innermost.file].filter((part) => part !== null).join(' in ')
  const culprit = withoutQuery(toText(fieldOf(event, 'transaction')) ?? place ?? '').slice(0, maxNameLength)
  const own = itemsOf(fieldOf(event, 'fingerprint')).map((part) => toText(part) ?? '')
  const usual = [name, culprit || message]
  const parts = own.length
    ? own.slice(0, 20).flatMap((part) => (/^{{ ?default ?}}$/.test(part) ? usual : [part]))
    : usual
  const id = toText(fieldOf(event, 'event_id'))?.replaceAll('-', '').toLowerCase()
  return {
    name,
    message,
    culprit,
    fingerprint: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
    event: {
      eventId: id !== undefined && /^[0-9a-f]{32}$/.test(id) ? id : null,
      level: toText(fieldOf(event, 'level'), 20) ?? 'error',
      platform: toText(fieldOf(event, 'platform')) ?? null,
      environment: toText(fieldOf(event, 'environment')) ?? null,
      release: toText(fieldOf(event, 'release')) ?? null,
      stack,
    },
  }
}

const newLine = 10

/**
 * The JSON of the items of type `event` in an envelope: a line with headers, then for each item a line with headers and the
 * content, whose length they contain, or which is a line.
 *
 * @throws SyntaxError for headers that are not JSON
 */
export const readEnvelope = (bytes: Buffer): unknown[] => {
  const events: unknown[] = []
  let position = 0
  const readLine = () => {
    const end = bytes.indexOf(newLine, position)
    const line = bytes.subarray(position, end < 0 ? bytes.length : end).toString('utf8')
    position = end < 0 ? bytes.length : end + 1
    return line
  }
  JSON.parse(readLine())
  for (let count = 0; position < bytes.length && count < maxItems; count++) {
    const line = readLine()
    if (line.trim() === '') continue
    const header: unknown = JSON.parse(line)
    const length = fieldOf(header, 'length')
    const hasLength = typeof length === 'number' && Number.isSafeInteger(length) && length >= 0
    const end = hasLength ? Math.min(position + length, bytes.length) : undefined
    const content = end === undefined ? readLine() : bytes.subarray(position, end).toString('utf8')
    if (end !== undefined) position = bytes[end] === newLine ? end + 1 : end
    if (fieldOf(header, 'type') === 'event') events.push(JSON.parse(content))
  }
  return events
}
