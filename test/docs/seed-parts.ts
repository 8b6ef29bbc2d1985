import { SeedSchema } from '../../packages/core/src/seed/seed.ts'

/** The properties of a Valibot schema that contain other schemas. */
interface Schema {
  readonly type: string
  readonly entries?: Readonly<Record<string, Schema>>
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly options?: readonly Schema[]
  readonly pipe?: readonly Schema[]
}

/** One object schema of a seed: the paths where it occurs, such as `projects.labels`, and the names of its entries. */
export interface SeedPart {
  readonly paths: string[]
  readonly names: readonly string[]
}

const objectSchemasOf = (schema: Schema): readonly Schema[] => {
  if (schema.wrapped) return objectSchemasOf(schema.wrapped)
  if (schema.item) return objectSchemasOf(schema.item)
  if (schema.type === 'union') return (schema.options ?? []).flatMap(objectSchemasOf)
  return schema.entries ? [schema] : []
}

const visit = (schema: Schema, path: string, parts: Map<object, SeedPart>) => {
  const { entries = {} } = schema
  const part = parts.get(entries) ?? { paths: [], names: Object.keys(entries) }
  part.paths.push(path)
  parts.set(entries, part)
  for (const [name, entry] of Object.entries(entries)) {
    for (const inner of objectSchemasOf(entry)) visit(inner, path === '' ? name : `${path}.${name}`, parts)
  }
}

/** All object schemas of a seed. A schema that occurs at several paths is listed once. */
export const seedParts = (): readonly SeedPart[] => {
  const parts = new Map<object, SeedPart>()
  visit(SeedSchema as unknown as Schema, '', parts)
  return [...parts.values()]
}
