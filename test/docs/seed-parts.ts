import { SeedSchema } from '../../packages/core/src/seed/seed.ts'

/** The parts of a schema that say what is in it. */
interface Schema {
  readonly type: string
  readonly entries?: Readonly<Record<string, Schema>>
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly options?: readonly Schema[]
  readonly pipe?: readonly Schema[]
}

/** One object of a seed: every place where it may stand, such as `projects.labels`, and the names of its entries. */
export interface SeedPart {
  readonly places: string[]
  readonly names: readonly string[]
}

const inside = (schema: Schema): readonly Schema[] => {
  if (schema.wrapped) return inside(schema.wrapped)
  if (schema.item) return inside(schema.item)
  if (schema.type === 'union') return (schema.options ?? []).flatMap(inside)
  return schema.entries ? [schema] : []
}

const visit = (schema: Schema, place: string, found: Map<object, SeedPart>) => {
  const { entries = {} } = schema
  const part = found.get(entries) ?? { places: [], names: Object.keys(entries) }
  part.places.push(place)
  found.set(entries, part)
  for (const [name, entry] of Object.entries(entries)) {
    for (const inner of inside(entry)) visit(inner, place === '' ? name : `${place}.${name}`, found)
  }
}

/** Every object that a seed can hold; one that may stand in several places is there once. */
export const seedParts = (): readonly SeedPart[] => {
  const found = new Map<object, SeedPart>()
  visit(SeedSchema as unknown as Schema, '', found)
  return [...found.values()]
}
