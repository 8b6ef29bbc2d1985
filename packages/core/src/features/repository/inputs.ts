import * as v from 'valibot'
import { CheckedText, LongText } from '../../kernel/text-limits.ts'
import type { ImportProgress } from './import-source.ts'

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

/** A commit described as data. */
export const NewCommitInput = v.strictObject({
  /** Message of the commit; its first line is the title. */
  message: LongText,
  /** Branch that receives the commit; a missing one is created. Default: the default branch. */
  branch: v.optional(v.string()),
  /** Who wrote the changes. Default: the caller, or the pusher that a host names; required otherwise. */
  author: v.optional(Signature),
  /** Who created the commit. Default: the author. */
  committer: v.optional(Signature),
  /** Commit SHAs, or indexes of earlier commits in the list, from 0. Default: the head of the branch. */
  parents: v.optional(v.array(v.union([v.string(), v.number()]))),
  /** Changes to the files of the first parent, applied in order. */
  files: v.optional(v.array(FileChange), []),
})

export type SignatureInput = v.InferOutput<typeof Signature>
export type CommitInput = v.InferOutput<typeof NewCommitInput>

const ObjectId = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/))

/** One line of the input of git's `post-receive` hook: full ref names; null instead of the zero id. */
export const ReferenceMoveInput = v.strictObject({
  /** Full name of the branch or tag: `refs/heads/main`, `refs/tags/v1`. At most 1,024 characters. */
  ref: v.pipe(v.string(), v.maxLength(1_024), v.regex(/^refs\/(?:heads|tags)\/./)),
  /** Hexadecimal SHA before the push; null for a new branch or tag. */
  before: v.nullable(ObjectId),
  /** Hexadecimal SHA after the push; null for a deleted branch or tag. */
  after: v.nullable(ObjectId),
})

export const ProgressCallback = v.custom<(progress: ImportProgress) => void>((value) => typeof value === 'function')
