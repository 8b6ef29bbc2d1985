import { defined } from '@forgelet/core/operations'
import type { FindFieldExample } from './examples.ts'
import type { Json } from './json-schema.ts'

const formatExamples: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T07:00:00.000Z',
  date: '2026-11-21',
  email: 'alice@example.com',
  uri: 'https://forge.example/acme/web',
}

const getReferenceName = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

const isNull = ({ type }: Json) => type === 'null'

/** An example of a value by the type of its schema. */
const createTypedExample = ({ type, format, default: initial }: Json): unknown => {
  if (initial !== undefined) return initial
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return false
  if (type === 'string') return formatExamples[format as string] ?? 'string'
  return null
}

/**
 * Creates examples of named schemas: an object has an example of each field, by its name or by its format.
 *
 * @param schemas the named schemas of the document
 */
export const createExampleWriter = (
  schemas: Readonly<Record<string, Json>>,
  findFieldExample: FindFieldExample,
): ((title: string) => unknown) => {
  const write = (schema: Json, title: string, name: string): unknown => {
    const { $ref, properties, anyOf, items, additionalProperties } = schema
    if (typeof $ref === 'string') return writeNamed(getReferenceName($ref))
    const known = name === '' ? undefined : findFieldExample(title, name, schema)
    if (known !== undefined) return known
    if (schema.const !== undefined) return schema.const
    if (Array.isArray(schema.enum)) return schema.enum[0]
    if (Array.isArray(anyOf)) return write(anyOf.find((inner) => !isNull(inner)) ?? { type: 'null' }, title, name)
    if (items) return [write(items as Json, title, name)]
    if (properties) {
      const entries = Object.entries(properties as Readonly<Record<string, Json>>)
      return Object.fromEntries(entries.map(([key, inner]) => [key, write(inner, title, key)]))
    }
    return additionalProperties ? {} : createTypedExample(schema)
  }

  const writeNamed = (title: string): unknown => write(defined(schemas[title]), title, '')
  return writeNamed
}
