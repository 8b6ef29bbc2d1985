import { normalizeAttributeName } from './attribute-name.ts'
import { scimError } from './scim-error.ts'

/** The target attribute of a PATCH operation. */
export interface PatchPath {
  /** In lower case, with the sub-attribute: `name.formatted`, `emails.value`. */
  readonly name: string
  /** The value filter in brackets, such as `type eq "work"`. */
  readonly filter: string | undefined
}

const pathError = (path: string) => scimError('invalidPath', `Invalid path: ${path.slice(0, 255)}`)

/** Parses a path (RFC 7644 section 3.5.2): `userName`, `name.formatted`, `emails[type eq "work"].value`. */
export const parsePatchPath = (path: string): PatchPath => {
  const plain = normalizeAttributeName(path.trim())
  const open = plain.indexOf('[')
  const close = plain.lastIndexOf(']')
  if (open < 0 && close < 0) return { name: plain, filter: undefined }
  const after = plain.slice(close + 1)
  if (open < 1 || close < open || !/^(?:\.[^.]+)?$/.test(after)) throw pathError(path)
  return { name: plain.slice(0, open) + after, filter: plain.slice(open + 1, close) }
}

/** Whether a value filter selects the work e-mail address: `type eq "work"`, `primary eq true`, or both. */
export const isWorkFilter = (filter: string): boolean =>
  filter.split(' and ').every((condition) => {
    const [attribute, operator, value, ...others] = condition.trim().split(/\s+/)
    const plain = value?.replace(/^"(.*)"$/, '$1')
    const matches = (attribute === 'type' && plain === 'work') || (attribute === 'primary' && plain === 'true')
    return matches && operator === 'eq' && others.length === 0
  })
