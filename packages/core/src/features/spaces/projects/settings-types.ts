import * as v from 'valibot'

/** Text of a setting, at most 10,000 characters; null for none. */
export const SettingText = v.nullable(v.pipe(v.string(), v.maxLength(10_000)))

/** Template of a commit message or a name. */
export const SettingTemplate = v.nullable(v.pipe(v.string(), v.maxLength(500)))

export const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
