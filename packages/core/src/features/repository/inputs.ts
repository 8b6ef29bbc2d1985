import * as v from 'valibot'
import type { ImportProgress } from './importing.ts'

const FilePath = v.union([v.string(), v.instance(Uint8Array)])

/** One change of a file, as the git port takes it. */
const FileChange = v.union([
  v.strictObject({ path: FilePath, removed: v.literal(true) }),
  v.strictObject({ path: FilePath, movedFrom: FilePath }),
  v.strictObject({ path: FilePath, submodule: v.string() }),
  v.strictObject({
    path: FilePath,
    content: v.union([v.string(), v.instance(Uint8Array)]),
    /** How a text stands for bytes; `text`, which is UTF-8, when left out. */
    encoding: v.optional(v.picklist(['text', 'base64'])),
    mode: v.optional(v.picklist(['100644', '100755', '120000'])),
  }),
])

/** Somebody and when. The instant of the call when no date is given. */
const Signature = v.strictObject({ name: v.string(), email: v.string(), date: v.optional(v.string()) })

/** A commit described as data. */
export const NewCommitInput = v.strictObject({
  message: v.string(),
  /** The default branch when left out. */
  branch: v.optional(v.string()),
  /** Whoever calls, when left out; a host has to say. */
  author: v.optional(Signature),
  /** The author, when left out. */
  committer: v.optional(Signature),
  /** Ids, or places in this list counted from 0; the newest commit of the branch when left out. */
  parents: v.optional(v.array(v.union([v.string(), v.number()]))),
  files: v.optional(v.array(FileChange), []),
})

export type GivenSignature = v.InferOutput<typeof Signature>
export type GivenCommit = v.InferOutput<typeof NewCommitInput>

const ObjectId = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/))

/** One line of what git tells a hook after a push: full names, and null for no commit. */
export const ReferenceMoveInput = v.strictObject({
  ref: v.pipe(v.string(), v.maxLength(1_024), v.regex(/^refs\/(?:heads|tags)\/./)),
  before: v.nullable(ObjectId),
  after: v.nullable(ObjectId),
})

export const Progress = v.custom<(progress: ImportProgress) => void>((value) => typeof value === 'function')
