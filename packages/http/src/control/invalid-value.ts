import { inspect } from 'node:util'
import { PlatformError } from '@forgelet/core'

/** The error `invalid_input` for one value: `timeout NaN must be …`. */
export const createInvalidValueError = (field: string, value: unknown, message: string): PlatformError =>
  new PlatformError(
    'invalid_input',
    `${field} ${inspect(value, { breakLength: Number.POSITIVE_INFINITY })} ${message}`,
    {
      problems: [{ fields: [field], message }],
    },
  )

/**
 * Returns a number of the host, which JavaScript callers and computed values can make NaN or infinite.
 *
 * @throws PlatformError `invalid_input` if it is not an integer in the range
 */
export const assertInteger = (
  field: string,
  value: number,
  minimum: number,
  maximum = Number.MAX_SAFE_INTEGER,
): number => {
  if (Number.isSafeInteger(value) && value >= minimum && value <= maximum) return value
  const range = maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
  throw createInvalidValueError(field, value, `must be an integer ${range}`)
}
