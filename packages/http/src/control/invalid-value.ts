import { inspect } from 'node:util'
import { PlatformError } from '@forgelet/core'
import { isUnknownField, suggestName } from '@forgelet/core/operations'
import { type InferOutput, type ObjectEntries, type StrictObjectSchema, safeParse } from 'valibot'

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

/** An array, a `Date` or a `Map` is an object without properties, which schemas accept. */
export const isPlainObject = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object Object]'

/**
 * Validates an object of the host. JavaScript callers can misspell its properties.
 *
 * @param name what messages start with: `fault`
 * @throws PlatformError `invalid_input` for unknown properties, with a suggestion, and for values of another type
 */
export const parseObject = <Schema extends StrictObjectSchema<ObjectEntries, undefined>>(
  name: string,
  schema: Schema,
  value: unknown,
): InferOutput<Schema> => {
  if (!isPlainObject(value)) throw createInvalidValueError(name, value, 'must be an object')
  const parsed = safeParse(schema, value)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const field = issue.path?.map(({ key }) => String(key)).join('.') ?? name
  const message = isUnknownField(issue)
    ? `${field} is not known. ${suggestName(field, Object.keys(schema.entries))}`
    : `${field}: ${issue.message}`
  throw new PlatformError('invalid_input', `${name}: ${message}`, { problems: [{ fields: [field], message }] })
}
