import * as v from 'valibot'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { CheckedText, LongText } from '../../../kernel/text-limits.ts'
import type { NewCommit } from '../../../ports/git.ts'
import { type Pusher, resolvePusher } from '../repository/branch-writer.ts'
import type { PushRecord } from '../repository/push.ts'
import { changeReferences } from '../repository/reference-changes.ts'
import { changeRepository, openOrCreateForWriting } from '../repository/writable-repository.ts'

const FilePath = v.union([v.string(), v.instance(Uint8Array)])

/** One file change, in the form of the git port. */
const FileChange = v.union([
  v.strictObject({
    /** Path of the file or directory to remove. */
    path: FilePath,
    /** Marks the change as a removal. */
    removed: v.literal(true),
  }),
  v.strictObject({
    /** New path of the file. */
    path: FilePath,
    /** Present path of the file, which keeps its content. */
    movedFrom: FilePath,
  }),
  v.strictObject({
    /** Path of the submodule. */
    path: FilePath,
    /** Hexadecimal SHA of the commit that the submodule refers to. */
    submodule: v.string(),
  }),
  v.strictObject({
    /**
     * Path of the file to create or replace, from the root of the repository: `src/index.ts`. Bytes if it is not UTF-8.
     */
    path: FilePath,
    /** New content; for a symbolic link (mode `120000`) its target. */
    content: v.union([CheckedText, v.instance(Uint8Array)]),
    /** Encoding of a string `content`: `text` (UTF-8, the default) or `base64`. */
    encoding: v.optional(v.picklist(['text', 'base64'])),
    /** `100644` file (the default), `100755` executable file, `120000` symbolic link. */
    mode: v.optional(v.picklist(['100644', '100755', '120000'])),
  }),
])

/** `date` defaults to the time of the call. */
const Signature = v.strictObject({
  /** Name of the author or committer, who need not be a user. */
  name: v.string(),
  /** E-mail address of the author or committer. */
  email: v.string(),
  /** Time of the commit: ISO 8601 with an offset, stored in whole seconds. Default: the time of the call. */
  date: v.optional(v.string()),
})

/** A commit given as data. */
const CommitData = v.strictObject({
  /** Message of the commit; its first line is the title. */
  message: LongText,
  /** Branch that receives the commit; a missing one is created. Default: the default branch. */
  branch: v.optional(v.string()),
  /** Who wrote the changes. Default: the current user, or the pusher that a host names; required otherwise. */
  author: v.optional(Signature),
  /** Who created the commit. Default: the author. */
  committer: v.optional(Signature),
  /** Commit SHAs, or indexes of earlier commits in the list, from 0. Default: the head of the branch. */
  parents: v.optional(v.array(v.union([v.string(), v.number()]))),
  /** Changes to the files of the first parent, applied in order. */
  files: v.optional(v.array(FileChange), []),
})

export const importInput = {
  /** 1 to 10,000 commits, written in this order. */
  commits: v.pipe(v.array(CommitData), v.minLength(1), v.maxLength(10_000)),
  /** Id or username of the pushing user; only the host sets it. Without it no activity is recorded. */
  pushedBy: v.optional(IdOrName),
}

type ImportInput = v.InferOutput<v.ObjectSchema<typeof importInput, undefined>>
type CommitInput = ImportInput['commits'][number]

/** The commits that an import created. */
export interface ImportedCommits {
  /** Hexadecimal SHAs of the new commits, in the order of the input. */
  readonly ids: readonly string[]
  /** One record per branch that received commits. */
  readonly pushes: readonly PushRecord[]
}

const toNewCommit = (input: CommitInput, defaultBranch: string, pusher: Pusher | null, now: string): NewCommit => {
  const { branch = defaultBranch, message, author = pusher, committer, parents, files } = input
  if (author === null) throw invalidInput([{ fields: ['commits[author]'], message: 'is missing' }])
  const { name, email } = author
  const date = 'date' in author ? author.date : undefined
  return {
    branch,
    message,
    author: { name, email, date: date ?? now },
    ...(committer && { committer: { ...committer, date: committer.date ?? now } }),
    ...(parents && { parents }),
    files: files as NewCommit['files'],
  }
}

export const importCommits = async (
  ctx: Context,
  { commits, pushedBy }: ImportInput,
  { project: { id, defaultBranch } }: { readonly project: Project },
): Promise<Deferred<ImportedCommits>> => {
  const { ports, now } = ctx
  const pusher = await resolvePusher(ctx, pushedBy)
  const list = commits.map((input) => toNewCommit(input, defaultBranch, pusher, now))
  return afterTransaction(({ write }) =>
    changeRepository({ ports, write }, id, async (writer): Promise<ImportedCommits> => {
      const repository = await openOrCreateForWriting(writer, { id, defaultBranch })
      const { result: ids, pushes } = await changeReferences(writer, repository, id, {
        userId: pusher?.id ?? null,
        apply: (announce) => repository.writeCommits(list, { beforeUpdate: announce }),
      })
      return { ids, pushes }
    }),
  )
}
