import * as v from 'valibot'
import { invalidInput } from '../../kernel/errors.ts'
import type { Position } from './discussion.ts'

const Sha = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/, 'is invalid'))
const Line = v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(1))))
const Path = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(8_192))))

/** A position in a diff. */
export const PositionInput = v.strictObject({
  /** SHA of the merge base of the compared branches, 40 hexadecimal digits: `diffRefs.baseSha` of the merge request. */
  baseSha: Sha,
  /** SHA of the tip of the target branch, 40 hexadecimal digits: `diffRefs.startSha` of the merge request. */
  startSha: Sha,
  /** SHA of the tip of the source branch, 40 hexadecimal digits: `diffRefs.headSha` of the merge request. */
  headSha: Sha,
  /** `text` for a line of a text file, `image` or `file` for a whole file. Default: `text`. */
  positionType: v.optional(v.picklist(['text', 'image', 'file']), 'text'),
  /** Path before the change, relative to the repository root. Default: `newPath`; one of them is required. */
  oldPath: Path,
  /** Path after the change, relative to the repository root. Default: `oldPath`; one of them is required. */
  newPath: Path,
  /** Line before the change, from 1; absent for an added line. A text position requires `oldLine`, `newLine` or both. */
  oldLine: Line,
  /** Line after the change, from 1; absent for a removed line. A text position requires `oldLine`, `newLine` or both. */
  newLine: Line,
})

export const toPosition = (input: v.InferOutput<typeof PositionInput>): Position => {
  const { oldPath = null, newPath = null, oldLine = null, newLine = null, ...rest } = input
  return { ...rest, oldPath: oldPath ?? newPath, newPath: newPath ?? oldPath, oldLine, newLine }
}

/** @throws PlatformError `invalid_input` without a path, or for a text without a line */
export const assertCompletePosition = ({ newPath, positionType, oldLine, newLine }: Position): void => {
  const hasLine = positionType !== 'text' || oldLine !== null || newLine !== null
  if (newPath === null || !hasLine) {
    throw invalidInput([{ fields: ['position'], message: 'is incomplete: a path and, for text, a line are required' }])
  }
}
