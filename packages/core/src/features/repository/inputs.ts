import * as v from 'valibot'
import type { ImportProgress } from './import-source.ts'

const FilePath = v.union([v.string(), v.instance(Uint8Array)])

/** One file change, in the form of the git port. */
const FileChange = v.union([
  v.strictObject({ path: FilePath, removed: v.literal(true) }),
  v.strictObject({ path: FilePath, movedFrom: FilePath }),
  v.strictObject({ path: FilePath, submodule: v.string() }),
  v.strictObject({
    path: FilePath,
    content: v.union([v.string(), v.instance(Uint8Array)]),
    /** Encoding of a string `content`; defaults to `text`, which is UTF-8. */
    encoding: v.optional(v.picklist(['text', 'base64'])),
    mode: v.optional(v.picklist(['100644', '100755', '120000'])),
  }),
])

/** `date` defaults to the time of the call. */
const Signature = v.strictObject({ name: v.string(), email: v.string(), date: v.optional(v.string()) })

/** A commit described as data. */
export const NewCommitInput = v.strictObject({
  message: v.string(),
  /** Defaults to the default branch. */
  branch: v.optional(v.string()),
  /** Defaults to the caller, or to the pusher that a host names; required otherwise. */
  author: v.optional(Signature),
  /** Defaults to the author. */
  committer: v.optional(Signature),
  /** Commit ids, or zero-based indexes in this list; defaults to the head of the branch. */
  parents: v.optional(v.array(v.union([v.string(), v.number()]))),
  files: v.optional(v.array(FileChange), []),
})

export type SignatureInput = v.InferOutput<typeof Signature>
export type CommitInput = v.InferOutput<typeof NewCommitInput>

const ObjectId = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/))

/** One line of the input of git's `post-receive` hook: full ref names; null instead of the zero id. */
export const ReferenceMoveInput = v.strictObject({
  ref: v.pipe(v.string(), v.maxLength(1_024), v.regex(/^refs\/(?:heads|tags)\/./)),
  before: v.nullable(ObjectId),
  after: v.nullable(ObjectId),
})

export const ProgressCallback = v.custom<(progress: ImportProgress) => void>((value) => typeof value === 'function')
