import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import { Id, IdOrName } from '../../../kernel/inputs.ts'
import { parseLabelColor } from '../../../shared/colors.ts'
import { stripTags } from '../../../shared/text.ts'

/** The input fields that identify a label. */
export const labelReferenceInput = {
  /** Id (number) or name of the label; a number that is not an id is a name. Required unless `name` is set. */
  label: v.optional(IdOrName),
  /** Name of the label, never an id. Required unless `label` is set. */
  name: v.optional(v.string()),
}

/** At most 512 KiB, as in GitLab. */
export const LabelDescription = v.pipe(v.string(), v.maxBytes(512 * 1024, 'is too long (maximum is 524288 bytes)'))

export const Priority = v.nullable(v.pipe(Id, v.minValue(0)))

/** Normalizes the values of a new or changed label. The error lists all problems. */
export function parseLabelInput(input: { name?: string | undefined; color?: string | undefined }): {
  name: string | undefined
  color: string | undefined
} {
  const name = input.name === undefined ? undefined : stripTags(input.name).trim()
  const color = input.color === undefined ? undefined : parseLabelColor(input.color)
  const title = name === undefined ? [] : validateName(name)
  const isInvalidColor = input.color !== undefined && color === undefined
  if (title.length || isInvalidColor) {
    throw invalid({ ...(title.length && { title }), ...(isInvalidColor && { color: ['must be a valid color code'] }) })
  }
  return { name, color }
}

const validateName = (name: string): string[] => {
  if (name === '') return ["can't be blank"]
  const problems = []
  if (name.includes(',')) problems.push('is invalid')
  if (name.length > 255) problems.push('is too long (maximum is 255 characters)')
  return problems
}
