import { styleText } from 'node:util'

interface Entry {
  readonly level: string
  readonly time: string
  readonly msg?: string
  readonly [field: string]: unknown
}

type Color = Parameters<typeof styleText>[0]

const levelColors: Readonly<Record<string, Color>> = { error: 'red', fatal: 'red', warn: 'yellow', info: 'green' }

const statusColor = (status: number): Color => {
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

const paint = (color: Color, text: string) => styleText(color, text, { stream: process.stderr })

/** Control characters of a path or a message could move the cursor of the terminal. */
const escapeControls = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1))

const formatField = ([name, value]: readonly [string, unknown]) =>
  paint('dim', `${name}=${escapeControls(typeof value === 'string' ? value : JSON.stringify(value))}`)

/** A stack trace has a line for each call. */
const formatError = (error: unknown) =>
  String(error)
    .split('\n')
    .map((line) => `\n  ${escapeControls(line)}`)
    .join('')

/** `14:05:09.123 GET /api/v4/projects 200 12 ms`, or the message of an entry, then its other fields. */
const formatEntry = (entry: Entry): string => {
  const { level, time, msg, worker, method, path, status, milliseconds, bytes, requestId, route, error, ...fields } =
    entry
  const parts = [paint('dim', time.slice(11, 23)), ...(worker === undefined ? [] : [paint('dim', `worker ${worker}`)])]
  if (level !== 'info') parts.push(paint(levelColors[level] ?? 'dim', level))
  if (typeof method === 'string') {
    parts.push(`${method} ${escapeControls(String(path))}`)
    if (typeof status === 'number') parts.push(paint(statusColor(status), String(status)))
    if (typeof milliseconds === 'number') parts.push(`${Math.round(milliseconds)} ms`)
  }
  if (msg !== undefined) parts.push(escapeControls(msg))
  if (level !== 'info' && requestId !== undefined) parts.push(formatField(['requestId', requestId]))
  parts.push(...Object.entries(fields).map(formatField))
  return `${parts.join(' ')}${error === undefined ? '' : formatError(error)}\n`
}

/** A destination of pino that writes each entry as a line for people. */
export const createPrettyStream = (destination: { write(text: string): unknown }): { write(line: string): void } => ({
  write: (line) => void destination.write(formatEntry(JSON.parse(line) as Entry)),
})
