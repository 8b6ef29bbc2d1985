import type { ErrorReason } from '../../../kernel/error-codes.ts'
import { PlatformError } from '../../../kernel/errors.ts'

/** Reasons of invalid requests: the `scimType` values of RFC 7644 section 3.12, in snake case. */
export const scimReasons = [
  'invalid_filter',
  'invalid_path',
  'invalid_syntax',
  'invalid_value',
  'mutability',
  'no_target',
] as const satisfies readonly ErrorReason[]

/** An `invalid_input` error; `reason` becomes the `scimType` of the response, `detail` its `detail`. */
export const scimError = (reason: (typeof scimReasons)[number], detail: string): PlatformError =>
  new PlatformError('invalid_input', detail, { reason })
