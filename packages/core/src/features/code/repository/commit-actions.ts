import * as v from 'valibot'
import { invalid, PlatformError } from '../../../kernel/errors.ts'
import { CheckedText } from '../../../kernel/text-limits.ts'
import type { FileChange, Repository, TreeEntry } from '../../../ports/git.ts'
import { findTreeEntry } from './tree-entries.ts'

const Path = v.pipe(v.string(), v.nonEmpty(), v.maxLength(4_096))

/** One change of a commit that is created over HTTP. */
export const CommitAction = v.object({
  /** `create` or `update` a file, `delete` it, `move` it, or change whether it is executable (`chmod`). */
  action: v.picklist(['create', 'delete', 'move', 'update', 'chmod']),
  /** Path of the file from the root of the repository: `src/index.ts`. */
  filePath: Path,
  /** The path before a move; required for it. */
  previousPath: v.optional(Path),
  /** The new content; required to create and update. A moved file keeps its content without it. */
  content: v.optional(CheckedText),
  /** Encoding of `content`: `text` (UTF-8) or `base64`. Default: `text`. */
  encoding: v.optional(v.picklist(['text', 'base64']), 'text'),
  /** The last known commit of the file. The commit fails if the file has changed since. Without effect for `create`, as in GitLab. */
  lastCommitId: v.optional(v.pipe(v.string(), v.maxLength(40))),
  /** Whether the file is executable; for `chmod` and new files. */
  executeFilemode: v.optional(v.boolean()),
})

export type CommitActionInput = v.InferOutput<typeof CommitAction>

interface ExistingFile {
  readonly mode: string
  /** Undefined for a file that an earlier action of the same commit wrote. */
  readonly blob: string | undefined
  readonly isDirectory: boolean
}

/** The files of the parent commit with the changes of earlier actions. */
interface Files {
  find(path: string): Promise<ExistingFile | undefined>
  set(path: string, file: ExistingFile | undefined): void
}

const toExistingFile = ({ mode, id, type }: TreeEntry): ExistingFile => ({
  mode,
  blob: id,
  isDirectory: type === 'tree',
})

const openFiles = (repository: Repository, parent: string | undefined): Files => {
  const changed = new Map<string, ExistingFile | undefined>()
  return {
    async find(path) {
      if (changed.has(path)) return changed.get(path)
      const entry = parent === undefined ? undefined : await findTreeEntry(repository, parent, path)
      return entry && toExistingFile(entry)
    },
    set: (path, file) => void changed.set(path, file),
  }
}

/** The texts are GitLab's, which clients compare. */
const requireFile = async (files: Files, path: string): Promise<ExistingFile> => {
  const file = await files.find(path)
  if (file === undefined || file.isDirectory) throw invalid("A file with this name doesn't exist")
  return file
}

/** Throws if something exists at the path, or if a folder of the path is a file. */
const assertPathIsFree = async (files: Files, path: string) => {
  const existing = await files.find(path)
  if (existing?.isDirectory) throw invalid('A directory with this name already exists')
  if (existing) throw invalid('A file with this name already exists')
  const segments = path.split('/')
  for (let length = 1; length < segments.length; length++) {
    const folder = await files.find(segments.slice(0, length).join('/'))
    if (folder && !folder.isDirectory) throw invalid('A file with this name already exists')
  }
}

const requireContent = ({ content, encoding }: CommitActionInput) => {
  if (content === undefined) throw invalid('You must provide content')
  return { content, encoding }
}

const toMode = (executable: boolean | undefined, mode = '100644') => {
  if (executable === undefined) return mode as '100644' | '100755' | '120000'
  return executable ? '100755' : '100644'
}

/** Writes a file again with another path or mode. */
const rewrite = async (
  repository: Repository,
  path: string,
  { blob }: ExistingFile,
  mode: string,
): Promise<FileChange> => {
  const object = blob === undefined ? undefined : await repository.blob(blob)
  if (object === undefined) throw invalid('A file can be changed once in a commit before its mode is changed')
  return { path, content: object.content, mode: mode as '100644' }
}

const convert: Readonly<
  Record<
    CommitActionInput['action'],
    (repository: Repository, files: Files, action: CommitActionInput) => Promise<readonly FileChange[]>
  >
> = {
  async create(_, files, action) {
    const { filePath: path, executeFilemode } = action
    await assertPathIsFree(files, path)
    const mode = toMode(executeFilemode)
    files.set(path, { mode, blob: undefined, isDirectory: false })
    return [{ path, ...requireContent(action), mode }]
  },
  async update(_, files, action) {
    const { filePath: path, executeFilemode } = action
    const existing = await requireFile(files, path)
    const mode = toMode(executeFilemode, existing.mode)
    files.set(path, { mode, blob: undefined, isDirectory: false })
    return [{ path, ...requireContent(action), mode }]
  },
  async delete(_, files, { filePath: path }) {
    await requireFile(files, path)
    files.set(path, undefined)
    return [{ path, removed: true }]
  },
  async move(_, files, action) {
    const { filePath: path, previousPath, content } = action
    if (previousPath === undefined) throw invalid('You must provide a previous path when moving')
    const existing = await requireFile(files, previousPath)
    await assertPathIsFree(files, path)
    files.set(previousPath, undefined)
    files.set(path, content === undefined ? existing : { ...existing, blob: undefined })
    const mode = toMode(undefined, existing.mode)
    return [
      { path, movedFrom: previousPath },
      ...(content === undefined ? [] : [{ path, ...requireContent(action), mode }]),
    ]
  },
  async chmod(repository, files, { filePath: path, executeFilemode }) {
    const existing = await requireFile(files, path)
    const mode = toMode(executeFilemode ?? false)
    files.set(path, { ...existing, mode })
    return [await rewrite(repository, path, existing, mode)]
  },
}

/** A file without commits, also in a repository without any, is missing, which the action reports. */
const assertUnchanged = async (repository: Repository, parent: string | undefined, action: CommitActionInput) => {
  const { action: kind, lastCommitId, filePath, previousPath } = action
  if (lastCommitId === undefined || parent === undefined || kind === 'create') return
  const path = kind === 'move' ? (previousPath ?? filePath) : filePath
  const [last] = await repository.listCommits({ tips: [parent], path, offset: 0, limit: 1 })
  if (last === undefined || last === lastCommitId.toLowerCase()) return
  throw new PlatformError('invalid', `The file has changed since you started editing it: ${path}`, {
    reason: 'file_changed',
  })
}

/**
 * Converts actions to changes of the files of the parent commit.
 *
 * @throws PlatformError `invalid` for an action that the files do not permit, with the text of the API
 */
export const toFileChanges = async (
  repository: Repository,
  parent: string | undefined,
  actions: readonly CommitActionInput[],
): Promise<readonly FileChange[]> => {
  const files = openFiles(repository, parent)
  const changes: FileChange[] = []
  for (const action of actions) {
    await assertUnchanged(repository, parent, action)
    changes.push(...(await convert[action.action](repository, files, action)))
  }
  return changes
}
