import * as v from 'valibot'
import { labelColor } from '../../kernel/colors.ts'
import { invalid } from '../../kernel/errors.ts'
import { Id, Reference } from '../../kernel/inputs.ts'
import { withoutTags } from '../../kernel/text.ts'

/** `label`: by id or name. `name`: by name only, for callers whose name may be a number. */
export const labelReference = { label: v.optional(Reference), name: v.optional(v.string()) }

export const Priority = v.nullable(v.pipe(Id, v.minValue(0)))

/** The values of a new or changed label, cleaned; every complaint at once. */
export function cleanLabel(given: { name?: string | undefined; color?: string | undefined }): {
  name: string | undefined
  color: string | undefined
} {
  const name = given.name === undefined ? undefined : withoutTags(given.name).trim()
  const color = given.color === undefined ? undefined : labelColor(given.color)
  const title = name === undefined ? [] : nameProblems(name)
  const isNoColor = given.color !== undefined && color === undefined
  if (title.length || isNoColor) {
    throw invalid({ ...(title.length && { title }), ...(isNoColor && { color: ['must be a valid color code'] }) })
  }
  return { name, color }
}

const nameProblems = (name: string): string[] => {
  if (name === '') return ["can't be blank"]
  const problems = []
  if (name.includes(',')) problems.push('is invalid')
  if (name.length > 255) problems.push('is too long (maximum is 255 characters)')
  return problems
}
