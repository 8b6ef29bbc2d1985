import content from './descriptions.json' with { type: 'json' }
import type { Json } from './json-schema.ts'

type Texts = Readonly<Record<string, string>>

/**
 * The descriptions of operations, inputs and schemas. `pnpm docs:reference` generates the file from the comments beside
 * operations, input fields and the fields of results.
 */
interface Descriptions {
  /** By name of the operation. */
  readonly operations: Texts
  /** By name of the operation and path in wire names: `position.base_sha`. Texts of the group `*` apply to all others. */
  readonly inputs: Readonly<Record<string, Texts>>
  /** By name of the schema and path. The empty path is the schema itself. */
  readonly schemas: Readonly<Record<string, Texts>>
  /** Inputs of the control plane, by route and path. */
  readonly control: Readonly<Record<string, Texts>>
  /** Properties of seeds, by the path of their object and name. */
  readonly seed: Readonly<Record<string, Texts>>
}

const { operations, inputs, schemas, control, seed } = content as unknown as Descriptions

const find = (groups: Readonly<Record<string, Texts>>, group: string, path: string): string | undefined =>
  (groups[group]?.[path] ?? groups['*']?.[path]) || undefined

/** The description of an operation. */
export const getOperationText = (name: string): string | undefined => operations[name] || undefined

/** The description of an input field. `path` consists of wire names. */
export const getInputText = (operation: string, path: string): string | undefined => find(inputs, operation, path)

/** The description of a named schema. */
export const getSchemaText = (title: string): string | undefined => schemas[title]?.[''] || undefined

/** The description of a property of a named schema. */
export const getPropertyText = (title: string, path: string): string | undefined => find(schemas, title, path)

/** The description of an input of the control plane: `PUT /clock`, `frozen`. */
export const getControlText = (route: string, path: string): string | undefined => find(control, route, path)

/** The description of a property of a seed: `projects.issues.title`. */
export const getSeedText = (path: string): string | undefined => {
  const lastDot = path.lastIndexOf('.')
  return find(seed, path.slice(0, Math.max(lastDot, 0)), path.slice(lastDot + 1))
}

const mapValues = (values: Json, map: (value: Json, name: string) => Json): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value as Json, name)]))

/** Adds descriptions to the properties of a schema that have none. `getText` receives the path of a property. */
export const describeProperties = (schema: Json, getText: (path: string) => string | undefined, path = ''): Json => {
  const describe = (inner: Json) => describeProperties(inner, getText, path)
  const { properties, items, anyOf, additionalProperties } = schema
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: mapValues(properties as Json, (property, name) => {
        const text = getText(`${path}${name}`)
        return {
          ...(text !== undefined && { description: text }),
          ...describeProperties(property, getText, `${path}${name}.`),
        }
      }),
    }),
    ...(items !== undefined && { items: describe(items as Json) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as Json[]).map(describe) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: describe(additionalProperties as Json) }),
  }
}
