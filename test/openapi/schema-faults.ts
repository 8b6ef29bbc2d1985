type Json = Readonly<Record<string, unknown>>

const typeOf = (value: unknown) => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const fits = (value: unknown, type: string) =>
  typeOf(value) === type || (type === 'number' && typeOf(value) === 'integer')

/** The supported keywords, each with a check that returns the violations of a value. */
const keywords: Readonly<Record<string, (value: unknown, expected: never, path: string, schema: Json) => string[]>> = {
  type: (value, expected: string | readonly string[], path) =>
    [expected].flat().some((type) => fits(value, type))
      ? []
      : [`${path} is ${typeOf(value)}, not ${[expected].flat().join(' or ')}`],
  properties: (value, expected: Readonly<Record<string, Json>>, path, schema) =>
    typeOf(value) !== 'object'
      ? []
      : Object.entries(value as Json).flatMap(([name, inner]) => {
          const property = expected[name]
          if (property) return findSchemaFaults(property, inner, `${path}.${name}`)
          // Undocumented properties are faults, unless additional properties are permitted.
          return schema.additionalProperties ? [] : [`${path}.${name} is not documented`]
        }),
  required: (value, expected: readonly string[], path) =>
    typeOf(value) === 'object'
      ? expected.filter((name) => !(name in (value as Json))).map((name) => `${path}.${name} is missing`)
      : [],
  items: (value, expected: Json, path) =>
    Array.isArray(value) ? value.flatMap((item, index) => findSchemaFaults(expected, item, `${path}[${index}]`)) : [],
  anyOf: (value, expected: readonly Json[], path) => {
    const faults = expected.map((option) => findSchemaFaults(option, value, path))
    return faults.some(({ length }) => length === 0)
      ? []
      : [`${path} matches none of ${expected.length} schemas: ${faults.flat().join('; ')}`]
  },
  enum: (value, expected: readonly unknown[], path) =>
    expected.includes(value) ? [] : [`${path} is not one of ${expected.join(', ')}`],
  const: (value, expected: unknown, path) => (value === expected ? [] : [`${path} is not ${String(expected)}`]),
  additionalProperties: () => [],
  description: () => [],
}

/**
 * The violations of a JSON Schema, as sentences; none if the value is valid. Unlike in the standard, a property that the schema
 * does not name is a fault.
 *
 * @throws if the schema contains an unsupported keyword
 */
export const findSchemaFaults = (schema: Json, value: unknown, path = 'body'): string[] =>
  Object.entries(schema).flatMap(([keyword, expected]) => {
    const check = keywords[keyword]
    if (!check) throw new Error(`${path}: the keyword ${keyword} is not supported`)
    return check(value, expected as never, path, schema)
  })
