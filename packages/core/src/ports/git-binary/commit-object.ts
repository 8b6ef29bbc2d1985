import type { Commit, Person } from '../git.ts'
import { isObjectId } from './object-id.ts'
import { decodedText, shownText } from './shown-text.ts'
import type { Workplace } from './workplace.ts'

/** Longer messages than any tool makes; read whole, so there has to be an end. */
const maximumCommitBytes = 16 * 1024 ** 2
/** The years 1 to 9999, a day off at both ends: dates beyond them have no common form. */
const earliest = -62_135_510_400
const latest = 253_402_214_400

const offsetMinutes = (offset: string): number => {
  const minutes = Number(offset.slice(1, -2)) * 60 + Number(offset.slice(-2))
  return minutes < 24 * 60 ? (offset.startsWith('-') ? -minutes : minutes) : 0
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Seconds since 1970 and an offset such as `+0300` as `2012-09-20T09:06:12.000+03:00`. What makes no date is 1970. */
const recordedDate = (seconds: string, offset: string): string => {
  const time = Number(seconds)
  const usable = Number.isSafeInteger(time) && time >= earliest && time <= latest ? time : 0
  const minutes = offsetMinutes(offset)
  const local = new Date((usable + minutes * 60) * 1000).toISOString().slice(0, -1)
  const size = Math.abs(minutes)
  return `${local}${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}

/** `Name <e-mail> seconds offset`. Damaged lines give what can be told. */
export const parseSignature = (line: string): { readonly person: Person; readonly date: string } => {
  const open = line.indexOf('<')
  const close = line.indexOf('>', open)
  const whole = open >= 0 && close > open
  const [, seconds = '0', offset = '+0000'] =
    /^ *(-?[0-9]{1,15}) *([+-][0-9]{4,6})?/.exec(line.slice(line.lastIndexOf('>') + 1)) ?? []
  const name = (whole ? line.slice(0, open) : line).trim()
  const email = whole ? line.slice(open + 1, close) : ''
  return { person: { name, email }, date: recordedDate(seconds, offset) }
}

const headersOf = (bytes: Buffer): { readonly lines: readonly Buffer[]; readonly message: Buffer } => {
  const lines: Buffer[] = []
  let at = 0
  while (at < bytes.length && bytes[at] !== 10) {
    const stop = bytes.indexOf(10, at)
    const end = stop < 0 ? bytes.length : stop
    lines.push(bytes.subarray(at, end))
    at = end + 1
  }
  return { lines, message: bytes.subarray(at + 1) }
}

const firstLine = (message: string): string => {
  for (const line of message.split(/\r\n|\r|\n/, 100)) if (line.trim() !== '') return line.trimEnd()
  return 'No commit message'
}

/** Reads the stored form: lines of headers, an empty line, the message; in the encoding it names, if it names one. */
export const parseCommit = (id: string, bytes: Buffer): Commit => {
  const { lines, message } = headersOf(bytes)
  const value = (name: string): Buffer | undefined =>
    lines.find((line) => line.toString('latin1', 0, name.length + 1) === `${name} `)?.subarray(name.length + 1)
  const encoding = value('encoding')?.toString('latin1')
  const text = (part: Buffer | undefined) => decodedText(part ?? Buffer.alloc(0), encoding)
  const author = parseSignature(text(value('author')))
  const committer = parseSignature(text(value('committer')))
  const wholeMessage = text(message)
  return {
    id,
    title: firstLine(wholeMessage),
    message: wholeMessage,
    tree: shownText(value('tree') ?? Buffer.alloc(0)),
    parents: lines
      .filter((line) => line.toString('latin1', 0, 7) === 'parent ')
      .map((line) => line.toString('latin1', 7))
      .filter(isObjectId),
    author: author.person,
    authoredAt: author.date,
    committer: committer.person,
    committedAt: committer.date,
  }
}

/** `undefined` when no commit has this id; the id of a tag is not that of the commit it marks. */
export const readCommit = async ({ objects }: Workplace, id: string): Promise<Commit | undefined> => {
  if (!isObjectId(id)) return undefined
  const found = await objects.contents(`${id}^{commit}`, maximumCommitBytes)
  return found?.id === id ? parseCommit(id, found.content) : undefined
}
