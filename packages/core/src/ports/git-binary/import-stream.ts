import { invalid, PlatformError, type Problem } from '../../kernel/errors.ts'
import type { FileChange, FilePath, NewCommit, Signature } from '../git.ts'
import { isObjectId } from './object-id.ts'
import { quotedPath } from './quoted-path.ts'
import { isReferenceName } from './reference-name.ts'

const refuse = (at: string, message: string): never => {
  const problem: Problem = { fields: [at], message }
  throw new PlatformError('invalid', `${at} ${message}`, { problems: [problem] })
}

const maximumPathBytes = 4096

/** Checks a path: relative, without empty parts, `.`, `..` and whatever a file system may take for `.git`. */
const checkPath = (path: FilePath, at: string): void => {
  const bytes = Buffer.from(path)
  const parts = bytes.toString('latin1').split('/')
  const unfit = parts.some((part) => part === '' || part === '.' || part === '..' || /^(\.git|git~1)$/i.test(part))
  if (unfit || bytes.includes(0) || bytes.length > maximumPathBytes) refuse(at, 'is not a path inside the repository')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const unfitForPerson = /[<>\u0000\n]/

/** Seconds since 1970 and the offset as git records them. `Z` is `+0000`. */
const recordedTime = (date: string, at: string): string => {
  const milliseconds = Date.parse(date)
  const offset = /(?:Z|([+-][0-9]{2}):?([0-9]{2}))$/i.exec(date)
  if (Number.isNaN(milliseconds) || milliseconds < 0 || offset === null) {
    return refuse(at, 'is not a date with an offset since 1970')
  }
  return `${Math.floor(milliseconds / 1000)} ${offset[1] ?? '+00'}${offset[2] ?? '00'}`
}

/** A person and a time as they stand in commits and tags. */
export const signatureLine = ({ name, email, date }: Signature, at: string): string => {
  if (name.trim() === '' || unfitForPerson.test(name)) refuse(`${at}.name`, 'is not a name')
  if (unfitForPerson.test(email)) refuse(`${at}.email`, 'is not an e-mail address')
  return `${name.trim()} <${email.trim()}> ${recordedTime(date, `${at}.date`)}`
}

const bytesOf = (text: string | Uint8Array, encoding: 'text' | 'base64' = 'text'): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8') : text

function* data(bytes: Uint8Array): Generator<string | Uint8Array> {
  yield `data ${bytes.byteLength}\n`
  yield bytes
  yield '\n'
}

function* fileCommands(change: FileChange): Generator<string | Uint8Array> {
  const path = quotedPath(Buffer.from(change.path))
  if ('removed' in change) yield `D ${path}\n`
  else if ('movedFrom' in change) yield `R ${quotedPath(Buffer.from(change.movedFrom))} ${path}\n`
  else if ('submodule' in change) yield `M 160000 ${change.submodule} ${path}\n`
  else {
    yield `M ${change.mode ?? '100644'} inline ${path}\n`
    yield* data(bytesOf(change.content, change.encoding))
  }
}

/** A commit whose parents are known: ids, or numbers of commits earlier in the stream. */
export interface PlannedCommit {
  readonly commit: NewCommit
  readonly parents: readonly (string | number)[]
}

/** What `git fast-import` reads, of commits that were checked. Commit number n has the mark n + 1, and its id is asked for as soon as it is made. */
export function* importStream(planned: readonly PlannedCommit[], reference: string): Generator<string | Uint8Array> {
  const mark = (parent: string | number) => (typeof parent === 'number' ? `:${parent + 1}` : parent)
  for (const [index, { commit, parents }] of planned.entries()) {
    const at = `commits[${index}]`
    const [first, ...merged] = parents
    // Without it, a commit without parents would follow the one before.
    if (first === undefined) yield `reset ${reference}\n\n`
    yield `commit ${reference}\nmark :${index + 1}\n`
    yield `author ${signatureLine(commit.author, `${at}.author`)}\n`
    yield `committer ${signatureLine(commit.committer ?? commit.author, `${at}.committer`)}\n`
    yield* data(Buffer.from(commit.message))
    if (first !== undefined) yield `from ${mark(first)}\n`
    for (const parent of merged) yield `merge ${mark(parent)}\n`
    for (const change of commit.files) yield* fileCommands(change)
    yield `\nget-mark :${index + 1}\n`
  }
  yield 'done\n'
}

const checkFile = (change: FileChange, at: string): void => {
  checkPath(change.path, `${at}.path`)
  if ('movedFrom' in change) checkPath(change.movedFrom, `${at}.movedFrom`)
  if ('submodule' in change && !isObjectId(change.submodule)) refuse(`${at}.submodule`, 'is not a commit id')
}

/** Refuses what can be seen to be wrong before anything is read or written. */
export const checkCommits = (commits: readonly NewCommit[]): void => {
  for (const [index, { branch, parents = [], message, author, committer, files }] of commits.entries()) {
    const at = `commits[${index}]`
    if (!isReferenceName(branch)) refuse(`${at}.branch`, 'is not a branch name')
    if (message.includes('\0')) refuse(`${at}.message`, 'holds a character that no message can hold')
    signatureLine(author, `${at}.author`)
    if (committer !== undefined) signatureLine(committer, `${at}.committer`)
    for (const parent of parents) {
      const known = typeof parent === 'number' ? parent >= 0 && parent < index : isObjectId(parent)
      if (!known) refuse(`${at}.parents`, 'are not commits that exist before it')
    }
    for (const [place, change] of files.entries()) checkFile(change, `${at}.files[${place}]`)
  }
  if (commits.length === 0) throw invalid('There are no commits to write')
}
