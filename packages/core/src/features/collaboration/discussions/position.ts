import * as v from 'valibot'
import { invalidInput } from '../../../kernel/errors.ts'
import type { LineRangeEnd, Position } from './discussion.ts'

const Sha = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/, 'is invalid'))
const Line = v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(1))))
const Path = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(8_192))))

const Pixels = v.optional(v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1_000_000))))

const LineCode = v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{40}_\d{1,10}_\d{1,10}$/, 'is invalid')))

const RangeEnd = v.strictObject({
  /** `<sha1 of the path>_<old line>_<new line>`. Default: computed from the line numbers; one of both is required. */
  lineCode: v.optional(LineCode),
  /** `new` for an added line, `old` for a removed one. Default: an unchanged line. */
  type: v.optional(v.nullable(v.picklist(['new', 'old']))),
  /** Line before the change, from 1. */
  oldLine: Line,
  /** Line after the change, from 1. */
  newLine: Line,
})

type RangeEndInput = v.InferOutput<typeof RangeEnd>

const toRangeEnd = ({ lineCode = null, type = null, oldLine = null, newLine = null }: RangeEndInput): LineRangeEnd => ({
  ...{ lineCode, type, oldLine, newLine },
})

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
  /** Line before the change, from 1; omitted for an added line. A text position requires `oldLine`, `newLine` or both. */
  oldLine: Line,
  /** Line after the change, from 1; omitted for a removed line. An unchanged line requires `oldLine` and `newLine`. */
  newLine: Line,
  /** The lines of a comment on several lines, of which the position is the last. Both are lines of the diff, in this order. */
  lineRange: v.optional(
    v.nullable(
      v.strictObject({
        /** First line. */
        start: RangeEnd,
        /** Last line. */
        end: RangeEnd,
      }),
    ),
  ),
  /** Distance from the left side of an image, in pixels from 0. Required for the type `image`. */
  x: Pixels,
  /** Distance from the upper side of an image, in pixels from 0. Required for the type `image`. */
  y: Pixels,
  /** Width of an image, in pixels. Required for the type `image`. */
  width: Pixels,
  /** Height of an image, in pixels. Required for the type `image`. */
  height: Pixels,
})

/** A position as it was read from another platform. */
export const StoredPosition = v.strictObject({
  ...PositionInput.entries,
  /** `<sha1 of the path>_<old line>_<new line>`; null for a whole file, and in projects without a repository. */
  lineCode: LineCode,
})

export const toStoredPosition = ({ lineCode, ...input }: v.InferOutput<typeof StoredPosition>): Position => ({
  ...toPosition(input),
  lineCode,
})

export const toPosition = (input: v.InferOutput<typeof PositionInput>): Position => {
  const { baseSha, startSha, headSha, positionType, oldPath = null, newPath = null, lineRange = null } = input
  const { oldLine = null, newLine = null, x = null, y = null, width = null, height = null } = input
  return {
    ...{ baseSha, startSha, headSha, positionType, oldPath: oldPath ?? newPath, newPath: newPath ?? oldPath },
    ...{ oldLine, newLine, lineCode: null, x, y, width, height },
    lineRange: lineRange && { start: toRangeEnd(lineRange.start), end: toRangeEnd(lineRange.end) },
  }
}

const hasLineOrCode = ({ lineCode, oldLine, newLine }: LineRangeEnd) =>
  lineCode !== null || oldLine !== null || newLine !== null

/** @throws PlatformError `invalid_input` without a path, for a text without a line, or a line range without both lines */
export const assertCompletePosition = (position: Position): void => {
  const { newPath, positionType, oldLine, newLine, lineRange, ...image } = position
  const hasLine = positionType !== 'text' || oldLine !== null || newLine !== null
  const hasPlace = positionType !== 'image' || ![image.x, image.y, image.width, image.height].includes(null)
  if (!hasPlace)
    throw invalidInput([{ fields: ['position'], message: 'is incomplete: an image requires x, y, width and height' }])
  if (lineRange !== null && !(hasLineOrCode(lineRange.start) && hasLineOrCode(lineRange.end)))
    throw invalidInput([{ fields: ['position'], message: 'is incomplete: a line range requires its lines' }])
  if (newPath === null || !hasLine) {
    throw invalidInput([{ fields: ['position'], message: 'is incomplete: a path and, for text, a line are required' }])
  }
}
