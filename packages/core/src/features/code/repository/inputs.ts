import * as v from 'valibot'
import type { ImportProgress } from './import-source.ts'

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
