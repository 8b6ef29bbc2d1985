const userSchemaPrefix = 'urn:ietf:params:scim:schemas:core:2.0:user:'

/**
 * Lower-cases an attribute name and removes the URN of the user schema: attribute names are case-insensitive (RFC 7643
 * section 2.1) and may be fully qualified (RFC 7644 section 3.10).
 */
export const normalizeAttributeName = (name: string): string => {
  const plain = name.toLowerCase()
  return plain.startsWith(userSchemaPrefix) ? plain.slice(userSchemaPrefix.length) : plain
}

/** Value of the own property with this normalized name, or `undefined`. */
export const getAttribute = (object: object, name: string): unknown => {
  const entry = Object.entries(object).find(([key]) => normalizeAttributeName(key) === name)
  return entry?.[1]
}

/** False for arrays and `null`. */
export const isJsonObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
