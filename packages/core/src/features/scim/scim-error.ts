import { PlatformError } from '../../kernel/errors.ts'

/** The `scimType` values of RFC 7644 section 3.12 that this API returns. */
export type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue'

/** An `invalid_input` error; `reason` becomes the `scimType` of the response, `message` its `detail`. */
export const scimError = (scimType: ScimType, detail: string): PlatformError =>
  new PlatformError('invalid_input', detail, { reason: scimType })
