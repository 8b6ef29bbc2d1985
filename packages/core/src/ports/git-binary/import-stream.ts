import { invalid, PlatformError, type Problem } from '../../kernel/errors.ts'
import type { FileChange, NewCommit, Signature } from '../git.ts'
import { isPortablePath, isRelativePath } from './file-path.ts'
import { isObjectId } from './object-id.ts'
import { quotePath } from './quoted-path.ts'
import { isReferenceName } from './reference-name.ts'

const throwInvalidField = (fieldPath: string, message: string): never => {
  const problem: Problem = { fields: [fieldPath], message }
  throw new PlatformError('invalid', `${fieldPath} ${message}`, { problems: [problem] })
}

const assertPath = (isValid: boolean, fieldPath: string): void => {
  if (!isValid) throwInvalidField(fieldPath, 'is not a valid path inside the repository')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const invalidIdentityCharacters = /[<>\u0000\n]/

/** Formats an ISO 8601 date as git stores it: Unix seconds and an offset. `Z` becomes `+0000`. */
const formatTime = (date: string, fieldPath: string): string => {
  const milliseconds = Date.parse(date)
  const offset = /(?:Z|([+-][0-9]{2}):?([0-9]{2}))$/i.exec(date)
  if (Number.isNaN(milliseconds) || milliseconds < 0 || offset === null) {
    return throwInvalidField(fieldPath, 'is not a date after 1970 with an offset')
  }
  return `${Math.floor(milliseconds / 1000)} ${offset[1] ?? '+00'}${offset[2] ?? '00'}`
}

/** Formats the `author`, `committer` or `tagger` of an object. */
export const formatSignature = ({ name, email, date }: Signature, fieldPath: string): string => {
  if (name.trim() === '' || invalidIdentityCharacters.test(name))
    throwInvalidField(`${fieldPath}.name`, 'is blank or contains invalid characters')
  if (invalidIdentityCharacters.test(email)) throwInvalidField(`${fieldPath}.email`, 'contains invalid characters')
  return `${name.trim()} <${email.trim()}> ${formatTime(date, `${fieldPath}.date`)}`
}

const encodeContent = (text: string | Uint8Array, encoding: 'text' | 'base64' = 'text'): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8') : text

function* generateData(bytes: Uint8Array): Generator<string | Uint8Array> {
  yield `data ${bytes.byteLength}\n`
  yield bytes
  yield '\n'
}

function* generateFileCommands(change: FileChange): Generator<string | Uint8Array> {
  const path = quotePath(Buffer.from(change.path))
  if ('removed' in change) yield `D ${path}\n`
  else if ('movedFrom' in change) yield `R ${quotePath(Buffer.from(change.movedFrom))} ${path}\n`
  else if ('submodule' in change) yield `M 160000 ${change.submodule} ${path}\n`
  else {
    yield `M ${change.mode ?? '100644'} inline ${path}\n`
    yield* generateData(encodeContent(change.content, change.encoding))
  }
}

/** A commit with its resolved parents: ids, or indexes of earlier commits in the stream. */
export interface PlannedCommit {
  readonly commit: NewCommit
  readonly parents: readonly (string | number)[]
}

/** Generates the input of `git fast-import` for validated commits. The commit at index n has the mark n + 1; `get-mark` prints its id. */
export function* generateImportStream(
  planned: readonly PlannedCommit[],
  reference: string,
): Generator<string | Uint8Array> {
  const mark = (parent: string | number) => (typeof parent === 'number' ? `:${parent + 1}` : parent)
  for (const [index, { commit, parents }] of planned.entries()) {
    const fieldPath = `commits[${index}]`
    const [first, ...merged] = parents
    // Without `reset`, fast-import uses the previous commit of the reference as the parent.
    if (first === undefined) yield `reset ${reference}\n\n`
    yield `commit ${reference}\nmark :${index + 1}\n`
    yield `author ${formatSignature(commit.author, `${fieldPath}.author`)}\n`
    yield `committer ${formatSignature(commit.committer ?? commit.author, `${fieldPath}.committer`)}\n`
    yield* generateData(Buffer.from(commit.message))
    if (first !== undefined) yield `from ${mark(first)}\n`
    for (const parent of merged) yield `merge ${mark(parent)}\n`
    for (const change of commit.files) yield* generateFileCommands(change)
    yield `\nget-mark :${index + 1}\n`
  }
  yield 'done\n'
}

const assertValidFile = (change: FileChange, fieldPath: string): void => {
  // Existing files with other names can be removed and renamed.
  // What is moved is not known here, and could be a link.
  const isRegularFile = 'content' in change && change.mode !== '120000'
  const isPathValid = 'removed' in change ? isRelativePath(change.path) : isPortablePath(change.path, { isRegularFile })
  assertPath(isPathValid, `${fieldPath}.path`)
  if ('movedFrom' in change) assertPath(isRelativePath(change.movedFrom), `${fieldPath}.movedFrom`)
  if ('submodule' in change && !isObjectId(change.submodule))
    throwInvalidField(`${fieldPath}.submodule`, 'is not a commit id')
}

/** Validates everything that does not require access to the repository. */
export const assertValidCommits = (commits: readonly NewCommit[]): void => {
  for (const [index, { branch, parents = [], message, author, committer, files }] of commits.entries()) {
    const fieldPath = `commits[${index}]`
    if (!isReferenceName(branch)) throwInvalidField(`${fieldPath}.branch`, 'is not a valid branch name')
    if (message.includes('\0')) throwInvalidField(`${fieldPath}.message`, 'contains a NUL character')
    formatSignature(author, `${fieldPath}.author`)
    if (committer !== undefined) formatSignature(committer, `${fieldPath}.committer`)
    for (const parent of parents) {
      const isValid = typeof parent === 'number' ? parent >= 0 && parent < index : isObjectId(parent)
      if (!isValid) throwInvalidField(`${fieldPath}.parents`, 'must be commit ids or indexes of earlier commits')
    }
    for (const [fileIndex, change] of files.entries()) assertValidFile(change, `${fieldPath}.files[${fileIndex}]`)
  }
  if (commits.length === 0) throw invalid('The list of commits is empty')
}
