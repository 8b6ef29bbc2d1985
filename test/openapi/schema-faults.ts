type Json = Readonly<Record<string, unknown>>

const typeOf = (value: unknown) => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const fits = (value: unknown, type: string) =>
  typeOf(value) === type || (type === 'number' && typeOf(value) === 'integer')

/** Each keyword that the document uses, and what is wrong with a value according to it. */
const keywords: Readonly<Record<string, (value: unknown, given: never, at: string, schema: Json) => string[]>> = {
  type: (value, given: string | readonly string[], at) =>
    [given].flat().some((type) => fits(value, type))
      ? []
      : [`${at} is ${typeOf(value)}, not ${[given].flat().join(' or ')}`],
  properties: (value, given: Readonly<Record<string, Json>>, at, schema) =>
    typeOf(value) !== 'object'
      ? []
      : Object.entries(value as Json).flatMap(([name, inner]) => {
          const known = given[name]
          if (known) return schemaFaults(known, inner, `${at}.${name}`)
          // What the document does not name must not be there, unless it says that anything may.
          return schema.additionalProperties ? [] : [`${at}.${name} is not documented`]
        }),
  required: (value, given: readonly string[], at) =>
    typeOf(value) === 'object'
      ? given.filter((name) => !(name in (value as Json))).map((name) => `${at}.${name} is missing`)
      : [],
  items: (value, given: Json, at) =>
    Array.isArray(value) ? value.flatMap((item, index) => schemaFaults(given, item, `${at}[${index}]`)) : [],
  anyOf: (value, given: readonly Json[], at) => {
    const faults = given.map((option) => schemaFaults(option, value, at))
    return faults.some(({ length }) => length === 0)
      ? []
      : [`${at} fits none of ${given.length}: ${faults.flat().join('; ')}`]
  },
  enum: (value, given: readonly unknown[], at) =>
    given.includes(value) ? [] : [`${at} is not one of ${given.join(', ')}`],
  const: (value, given: unknown, at) => (value === given ? [] : [`${at} is not ${String(given)}`]),
  additionalProperties: () => [],
  description: () => [],
}

/**
 * What is wrong with a value according to a JSON Schema, as sentences; none when it fits. Stricter than the standard in one
 * point: a property that the schema does not name is a fault.
 *
 * @throws when the schema uses a keyword that this does not know, so that nothing passes unchecked
 */
export const schemaFaults = (schema: Json, value: unknown, at = 'body'): string[] =>
  Object.entries(schema).flatMap(([keyword, given]) => {
    const check = keywords[keyword]
    if (!check) throw new Error(`${at}: the keyword ${keyword} is not known here`)
    return check(value, given as never, at, schema)
  })
