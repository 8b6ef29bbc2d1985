import type { Commit, GitIdentity } from '../git.ts'
import { decodeText, decodeUtf8OrLatin1 } from './decode-text.ts'
import { isObjectId } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

/** Far above the size of real commits, which are read into memory. */
const maximumCommitBytes = 16 * 1024 ** 2
/** The years 1 to 9999 without one day at each end, because an offset must not move a date out of the range of ISO 8601. */
const earliestSeconds = -62_135_510_400
const latestSeconds = 253_402_214_400

const parseOffset = (offset: string): number => {
  const minutes = Number(offset.slice(1, -2)) * 60 + Number(offset.slice(-2))
  return minutes < 24 * 60 ? (offset.startsWith('-') ? -minutes : minutes) : 0
}

const padTwoDigits = (value: number) => String(value).padStart(2, '0')

/** Formats Unix seconds and an offset such as `+0300` as `2012-09-20T09:06:12.000+03:00`. An invalid time becomes 1970. */
const formatDate = (seconds: string, offset: string): string => {
  const time = Number(seconds)
  const usable = Number.isSafeInteger(time) && time >= earliestSeconds && time <= latestSeconds ? time : 0
  const minutes = parseOffset(offset)
  const local = new Date((usable + minutes * 60) * 1000).toISOString().slice(0, -1)
  const size = Math.abs(minutes)
  return `${local}${minutes < 0 ? '-' : '+'}${padTwoDigits(Math.floor(size / 60))}:${padTwoDigits(size % 60)}`
}

/** Parses `Name <e-mail> seconds offset`. Missing parts of a damaged line become empty or 1970. */
export const parseSignature = (line: string): { readonly person: GitIdentity; readonly date: string } => {
  const open = line.indexOf('<')
  const close = line.indexOf('>', open)
  const hasEmail = open >= 0 && close > open
  const [, seconds = '0', offset = '+0000'] =
    /^ *(-?[0-9]{1,15}) *([+-][0-9]{4,6})?/.exec(line.slice(line.lastIndexOf('>') + 1)) ?? []
  const name = (hasEmail ? line.slice(0, open) : line).trim()
  const email = hasEmail ? line.slice(open + 1, close) : ''
  return { person: { name, email }, date: formatDate(seconds, offset) }
}

const splitHeaders = (bytes: Buffer): { readonly lines: readonly Buffer[]; readonly message: Buffer } => {
  const lines: Buffer[] = []
  let start = 0
  while (start < bytes.length && bytes[start] !== 10) {
    const lineFeed = bytes.indexOf(10, start)
    const end = lineFeed < 0 ? bytes.length : lineFeed
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return { lines, message: bytes.subarray(start + 1) }
}

const extractTitle = (message: string): string => {
  for (const line of message.split(/\r\n|\r|\n/, 100)) if (line.trim() !== '') return line.trimEnd()
  return 'No commit message'
}

/** Parses the stored form: header lines, an empty line, the message. The header `encoding` names the text encoding. */
export const parseCommit = (id: string, bytes: Buffer): Commit => {
  const { lines, message } = splitHeaders(bytes)
  const value = (name: string): Buffer | undefined =>
    lines.find((line) => line.toString('latin1', 0, name.length + 1) === `${name} `)?.subarray(name.length + 1)
  const encoding = value('encoding')?.toString('latin1')
  const text = (part: Buffer | undefined) => decodeText(part ?? Buffer.alloc(0), encoding)
  const author = parseSignature(text(value('author')))
  const committer = parseSignature(text(value('committer')))
  const decodedMessage = text(message)
  return {
    id,
    title: extractTitle(decodedMessage),
    message: decodedMessage,
    tree: decodeUtf8OrLatin1(value('tree') ?? Buffer.alloc(0)),
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

/** `undefined` when no commit has this id. The id of an annotated tag is not peeled to its commit. */
export const readCommit = async ({ objects }: GitRuntime, id: string): Promise<Commit | undefined> => {
  if (!isObjectId(id)) return undefined
  const object = await objects.contents(`${id}^{commit}`, maximumCommitBytes)
  return object?.id === id ? parseCommit(id, object.content) : undefined
}
