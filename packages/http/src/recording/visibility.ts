import { type JsonObject, readChoice } from './json-fields.ts'

/** From the least to the most visible. */
export const visibilities = ['private', 'internal', 'public'] as const

export type Visibility = (typeof visibilities)[number]

export const readVisibility = (object: JsonObject): Visibility | undefined =>
  readChoice(object, 'visibility', visibilities)

export const isMoreVisible = (one: Visibility, other: Visibility): boolean =>
  visibilities.indexOf(one) > visibilities.indexOf(other)
