import { PlatformError } from '../../kernel/errors.ts'

/** The `scimType` values of RFC 7644 section 3.12 for invalid requests. */
export const scimTypes = [
  'invalidFilter',
  'invalidPath',
  'invalidSyntax',
  'invalidValue',
  'mutability',
  'noTarget',
] as const

/** An `invalid_input` error; `reason` becomes the `scimType` of the response, `message` its `detail`. */
export const scimError = (scimType: (typeof scimTypes)[number], detail: string): PlatformError =>
  new PlatformError('invalid_input', detail, { reason: scimType })
