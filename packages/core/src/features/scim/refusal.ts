import { PlatformError } from '../../kernel/errors.ts'

/** Why a SCIM request is wrong, in the words of RFC 7644 section 3.12, as far as they occur here. */
export type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue'

/** A malformed SCIM request: code `invalid_input`, the `scimType` of the answer in `reason`, its `detail` in `message`. */
export const scimRefusal = (scimType: ScimType, detail: string): PlatformError =>
  new PlatformError('invalid_input', detail, { reason: scimType })
