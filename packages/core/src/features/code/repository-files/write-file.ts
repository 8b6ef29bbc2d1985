import * as v from 'valibot'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { invalid, isPlatformError } from '../../../kernel/errors.ts'
import { CheckedText } from '../../../kernel/text-limits.ts'
import { assertOwnStart, createCommit, startProjectInput } from '../commits/create-commit.ts'
import { changeBranches } from '../repository/branch-writer.ts'
import type { WrittenFile } from './file.ts'

const Branch = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const Person = v.pipe(v.string(), v.maxLength(255))

/** The input of all changes of a file. */
export const fileInput = {
  /** Path from the root of the repository, case-sensitive: `src/index.ts`. */
  filePath: v.pipe(v.string(), v.nonEmpty(), v.maxLength(4_096)),
  /** Name of the branch that receives the commit. With `startBranch`, it is created if it does not exist. */
  branch: Branch,
  /** The branch at which a new branch starts. */
  startBranch: v.optional(Branch),
  ...startProjectInput,
  /** Message of the commit; its first line is the title. */
  commitMessage: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_000_000)),
  /** E-mail address of the author. Default: that of the current user. */
  authorEmail: v.optional(Person),
  /** Name of the author. Default: that of the current user. */
  authorName: v.optional(Person),
}

/** The input of changes that write content. */
export const contentInput = {
  /** The new content. */
  content: CheckedText,
  /** Encoding of `content`: `text` (UTF-8) or `base64`. Default: `text`. */
  encoding: v.optional(v.picklist(['text', 'base64']), 'text'),
  /** Whether the file is executable. Default: not for a new file, unchanged for an existing one. */
  executeFilemode: v.optional(v.boolean()),
}

/** The input of changes of an existing file. */
export const lastCommitInput = {
  /** The last known commit of the file. The call fails if the file has changed since. */
  lastCommitId: v.optional(v.pipe(v.string(), v.maxLength(40))),
}

type FileInput = v.InferOutput<v.ObjectSchema<typeof fileInput, undefined>> &
  Partial<v.InferOutput<v.ObjectSchema<typeof contentInput & typeof lastCommitInput, undefined>>>

/** GitLab has texts of its own for a single file. */
const changedTexts = {
  update: 'You are attempting to update a file that has changed since you started editing it.',
  delete: 'You are attempting to delete a file that has been previously updated.',
}

const toFileError = (error: unknown, action: 'create' | 'update' | 'delete'): unknown =>
  isPlatformError(error) && error.reason === 'file_changed' && action !== 'create'
    ? invalid(changedTexts[action])
    : error

/** Changes one file in a new commit. */
export const writeFile = (
  ctx: Context,
  project: Project,
  action: 'create' | 'update' | 'delete',
  input: FileInput,
): Promise<Deferred<WrittenFile>> => {
  const { filePath, content, encoding = 'text', executeFilemode, lastCommitId, startProject, ...commit } = input
  assertOwnStart(project, startProject)
  const change = { action, filePath, content, encoding, executeFilemode, lastCommitId }
  return changeBranches(ctx, project, async (branches): Promise<WrittenFile> => {
    try {
      await createCommit(branches, { ...commit, actions: [change] }, ctx.now)
    } catch (error) {
      throw toFileError(error, action)
    }
    return { filePath, branch: input.branch }
  })
}
