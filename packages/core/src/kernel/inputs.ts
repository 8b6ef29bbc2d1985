import * as v from 'valibot'
import type { InputRule } from './operation.ts'

/** A row id. */
export const Id = v.pipe(v.number(), v.safeInteger())

/** A thing by id (number) or by its name or path (string). */
export const Reference = v.union([Id, v.string()])

export const Sort = v.picklist(['asc', 'desc'])

/** `2026-11-21`, a day that exists. */
export const DateOnly = v.pipe(
  v.string(),
  v.isoDate(),
  v.check((text) => {
    const day = new Date(`${text}T00:00:00Z`)
    return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
  }, 'is invalid'),
)

const ordered = (text: string) => !Number.isNaN(Date.parse(text)) && /^[0-9]{4}-/.test(text)

/** An instant in any ISO 8601 spelling; a date alone is midnight UTC. Stored and compared after `instant()`. */
export const Instant = v.pipe(v.string(), v.maxLength(40), v.check(ordered, 'is invalid'))

/** The one spelling of an instant that sorts as text: UTC, three fractional digits. */
export const instant = (text: string): string => new Date(text).toISOString()

/** How many of the named fields are present. */
const present = (input: object, names: readonly string[]): number => {
  const values = input as Readonly<Record<string, unknown>>
  let count = 0
  for (const name of names) if (values[name] !== undefined) count++
  return count
}

/** At least one of the named fields must be present. */
export const atLeastOne =
  <T extends object>(...names: (keyof T & string)[]): InputRule<T> =>
  (input) =>
    present(input, names) === 0
      ? { fields: names, message: 'are missing, at least one parameter must be provided' }
      : undefined

/** No two of the named fields may be present. */
export const mutuallyExclusive =
  <T extends object>(...names: (keyof T & string)[]): InputRule<T> =>
  (input) =>
    present(input, names) > 1 ? { fields: names, message: 'are mutually exclusive' } : undefined

/** All of the named fields must be present, or none of them. */
export const allOrNone =
  <T extends object>(...names: (keyof T & string)[]): InputRule<T> =>
  (input) => {
    const count = present(input, names)
    return count === 0 || count === names.length
      ? undefined
      : { fields: names, message: 'provide all or none of parameters' }
  }

/** Exactly one of the named fields must be present. */
export const exactlyOne = <T extends object>(...names: (keyof T & string)[]): InputRule<T> => {
  const atMostOne = mutuallyExclusive<T>(...names)
  return (input) =>
    present(input, names) === 0
      ? { fields: names, message: 'are missing, exactly one parameter must be provided' }
      : atMostOne(input)
}
