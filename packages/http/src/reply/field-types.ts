import * as v from 'valibot'

/** An id, a count or another whole number. */
export const Integer = v.pipe(v.number(), v.integer())

/** An instant, ISO 8601 with seconds and offset: `2026-11-21T07:00:00.000Z`. */
export const DateTime = v.pipe(v.string(), v.isoTimestamp())

/** A day: `2026-11-21`. */
export const DateOnly = v.pipe(v.string(), v.isoDate())

/** An absolute URL. */
export const Url = v.pipe(v.string(), v.url())

export const NullableInteger = v.nullable(Integer)
export const NullableText = v.nullable(v.string())
export const NullableDateTime = v.nullable(DateTime)
export const NullableDate = v.nullable(DateOnly)
