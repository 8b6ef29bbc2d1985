import { isStorable } from '@forgelet/core/operations'

/** A JSON object of unknown content. Only own properties are read, so names of the prototype have no meaning. */
export type JsonObject = Readonly<Record<string, unknown>>

export const toObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const readField = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

export const readObject = (object: JsonObject, name: string): JsonObject | undefined =>
  toObject(readField(object, name))

export const readList = (object: JsonObject, name: string): readonly unknown[] => toList(readField(object, name))

/** A text that is not blank and that every database can store. */
export const readText = (object: JsonObject, name: string, maxLength = 1_000_000): string | undefined => {
  const value = readField(object, name)
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return value.length <= maxLength && isStorable(value) ? value : undefined
}

/** A positive integer. */
export const readId = (object: JsonObject, name: string): number | undefined => {
  const value = readField(object, name)
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined
}

/** An integer from 0 to `maximum`. */
export const readCount = (object: JsonObject, name: string, maximum: number): number | undefined => {
  const value = readField(object, name)
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= maximum
    ? (value as number)
    : undefined
}

export const readFlag = (object: JsonObject, name: string): boolean | undefined => {
  const value = readField(object, name)
  return typeof value === 'boolean' ? value : undefined
}

/** One of the values that a seed accepts. */
export const readChoice = <const T extends string>(
  object: JsonObject,
  name: string,
  choices: readonly T[],
): T | undefined => choices.find((choice) => choice === readField(object, name))

const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(9999, 0, 1)

/** An instant of the form `2026-01-31T12:00:00.000Z`. */
export const readInstant = (object: JsonObject, name: string): string | undefined => {
  const text = readText(object, name, 40)
  const time = text === undefined || !/^\d{4}-\d\d-\d\dT/.test(text) ? Number.NaN : Date.parse(text)
  return time >= earliest && time < latest ? new Date(time).toISOString() : undefined
}

/** A day of the form `2026-01-31`. */
export const readDay = (object: JsonObject, name: string): string | undefined => {
  const text = readText(object, name, 10)
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  return time >= earliest && new Date(time).toISOString().startsWith(text) ? text : undefined
}

/** The fields with a value. */
export const withoutUndefined = <T extends object>(fields: T): { [N in keyof T]: Exclude<T[N], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
