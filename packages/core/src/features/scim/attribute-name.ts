const schema = 'urn:ietf:params:scim:schemas:core:2.0:user:'

/**
 * The one spelling of an attribute's name: lower case, without the schema of users in front. Names are compared without regard to
 * case (RFC 7643 section 2.1), and names of this schema may be written in full (RFC 7644 section 3.10).
 */
export const attributeName = (name: string): string => {
  const plain = name.toLowerCase()
  return plain.startsWith(schema) ? plain.slice(schema.length) : plain
}

/** The value that a JSON object has under a name, whatever its case; `undefined` when it has none. Inherited ones do not count. */
export const attributeOf = (object: object, name: string): unknown => {
  const entry = Object.entries(object).find(([key]) => attributeName(key) === name)
  return entry?.[1]
}

/** True for a JSON object; not for arrays and `null`. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
