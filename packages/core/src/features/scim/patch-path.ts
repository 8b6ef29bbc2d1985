import { attributeName } from './attribute-name.ts'
import { scimRefusal } from './refusal.ts'

/** Which attribute an operation means. */
export interface PatchPath {
  /** In lower case, with the part after the dot: `name.formatted`, `emails.value`. */
  readonly name: string
  /** What stands in brackets, to choose among several values. */
  readonly filter: string | undefined
}

const refused = (path: string) => scimRefusal('invalidPath', `Invalid path: ${path.slice(0, 255)}`)

/** Reads a path as RFC 7644 section 3.5.2 writes it: `userName`, `name.formatted`, `emails[type eq "work"].value`. */
export const readPatchPath = (path: string): PatchPath => {
  const plain = attributeName(path.trim())
  const open = plain.indexOf('[')
  const close = plain.lastIndexOf(']')
  if (open < 0 && close < 0) return { name: plain, filter: undefined }
  const after = plain.slice(close + 1)
  if (open < 1 || close < open || !/^(?:\.[^.]+)?$/.test(after)) throw refused(path)
  return { name: plain.slice(0, open) + after, filter: plain.slice(open + 1, close) }
}

/** True for the conditions under which an e-mail address is the one that counts: `type eq "work"`, `primary eq true`, or both. */
export const meansWork = (filter: string): boolean =>
  filter.split(' and ').every((condition) => {
    const [attribute, operator, value, ...others] = condition.trim().split(/\s+/)
    const plain = value?.replace(/^"(.*)"$/, '$1')
    const known = (attribute === 'type' && plain === 'work') || (attribute === 'primary' && plain === 'true')
    return known && operator === 'eq' && others.length === 0
  })
