import * as v from 'valibot'
import { parseInstant } from '../shared/instant.ts'
import type { InputRule } from './operation.ts'

/** A row id. */
export const Id = v.pipe(v.number(), v.safeInteger())

/** A number within a project or group, from 1. */
export const InternalId = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(2 ** 31 - 1))

/** An id (number), or a name or path (string). */
export const IdOrName = v.union([Id, v.string()])

const isByteStream = (value: unknown): value is AsyncIterable<Uint8Array> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** Bytes as a stream of chunks, which is read at most once. */
export const ByteStream = v.custom<AsyncIterable<Uint8Array>>(isByteStream, 'must be a stream of bytes')

export const Sort = v.picklist(['asc', 'desc'])

/** An existing day: `2026-11-21`. */
export const DateOnly = v.pipe(
  v.string(),
  v.isoDate(),
  v.check((text) => {
    const day = new Date(`${text}T00:00:00Z`)
    return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
  }, 'is invalid'),
)

/** An instant in ISO 8601 notation, UTC without an offset. Normalize it with `normalizeInstant` to store or compare it. */
export const Instant = v.pipe(
  v.string(),
  v.maxLength(40),
  v.check((text) => !Number.isNaN(parseInstant(text)), 'is invalid'),
  v.metadata({ format: 'date-time' }),
)

/** Formats an instant so that it sorts as text: UTC, three fractional digits. */
export const normalizeInstant = (text: string): string => new Date(parseInstant(text)).toISOString()

/** The number of the named fields that are present. */
const countPresent = (input: object, names: readonly string[]): number => {
  const values = input as Readonly<Record<string, unknown>>
  let count = 0
  for (const name of names) if (values[name] !== undefined) count++
  return count
}

/** At least one of the named fields must be present. */
export const atLeastOne =
  <T extends object>(...names: (keyof T & string)[]): InputRule<T> =>
  (input) =>
    countPresent(input, names) === 0
      ? { fields: names, message: 'are missing, at least one parameter must be provided' }
      : undefined

/** At most one of the named fields may be present. */
export const mutuallyExclusive =
  <T extends object>(...names: (keyof T & string)[]): InputRule<T> =>
  (input) =>
    countPresent(input, names) > 1 ? { fields: names, message: 'are mutually exclusive' } : undefined

/** All of the named fields must be present, or none of them. */
export const allOrNone =
  <T extends object>(...names: (keyof T & string)[]): InputRule<T> =>
  (input) => {
    const count = countPresent(input, names)
    return count === 0 || count === names.length
      ? undefined
      : { fields: names, message: 'provide all or none of parameters' }
  }

/** Exactly one of the named fields must be present. */
export const exactlyOne = <T extends object>(...names: (keyof T & string)[]): InputRule<T> => {
  const atMostOne = mutuallyExclusive<T>(...names)
  return (input) =>
    countPresent(input, names) === 0
      ? { fields: names, message: 'are missing, exactly one parameter must be provided' }
      : atMostOne(input)
}
