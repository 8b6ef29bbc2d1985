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
  name?: string
  color?: string
} {
  const name = given.name === undefined ? undefined : withoutTags(given.name).trim()
  const color = given.color === undefined ? undefined : labelColor(given.color)
  const problems: Record<string, string[]> = {}
  const title = name === undefined ? [] : nameProblems(name)
  if (title.length) problems.title = title
  if (given.color !== undefined && color === undefined) problems.color = ['must be a valid color code']
  if (Object.keys(problems).length) throw invalid(problems)
  return { ...(name !== undefined && { name }), ...(color !== undefined && { color }) }
}

const nameProblems = (name: string): string[] => {
  if (name === '') return ["can't be blank"]
  return [
    ...(name.includes(',') ? ['is invalid'] : []),
    ...(name.length > 255 ? ['is too long (maximum is 255 characters)'] : []),
  ]
}
