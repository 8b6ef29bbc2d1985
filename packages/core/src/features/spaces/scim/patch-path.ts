import { normalizeAttributeName } from './attribute-name.ts'
import { scimError } from './scim-error.ts'

/** The target attribute of a PATCH operation. */
export interface PatchPath {
  /** In lower case, with the sub-attribute: `name.formatted`, `emails.value`. */
  readonly name: string
  /** The value filter in brackets, such as `type eq "work"`, in lower case. */
  readonly filter: string | undefined
}

/** An attribute, which may have a URN, a value filter and a sub-attribute. */
const grammar = /^((?:urn:[^\s[\]]+:)?[a-z][\w$-]*)(?:\[(.+)\])?(\.[a-z$][\w$-]*)?$/s

/**
 * Parses a path (RFC 7644 section 3.5.2): `userName`, `name.formatted`, `emails[type eq "work"].value`.
 *
 * @throws PlatformError `invalid_input` with reason `invalidPath` for a path outside the grammar
 */
export const parsePatchPath = (path: string): PatchPath => {
  const [, attribute, filter, subAttribute = ''] = grammar.exec(normalizeAttributeName(path.trim())) ?? []
  if (attribute === undefined) throw scimError('invalid_path', `Invalid path: ${path.slice(0, 255)}`)
  return { name: attribute + subAttribute, filter }
}

const condition = /^(type|primary|value)\s+eq\s+(?:"([^"]*)"|([^\s"]+))$/

/**
 * Whether a value filter selects the only e-mail address, which has type `work` and is primary. Supports `eq` on `type`,
 * `primary` and `value`, also joined by `and`.
 *
 * @throws PlatformError `invalid_input` with reason `invalidFilter` for any other filter
 */
export const selectsWorkEmail = (filter: string, address: string): boolean => {
  const email: Readonly<Record<string, string>> = { type: 'work', primary: 'true', value: address.toLowerCase() }
  return filter
    .trim()
    .split(/\s+and\s+/)
    .map((text) => {
      const [, attribute, quoted, bare] = condition.exec(text) ?? []
      if (attribute === undefined)
        throw scimError('invalid_filter', 'The value filter can only compare type, primary and value with eq')
      return email[attribute] === (quoted ?? bare)
    })
    .every(Boolean)
}
