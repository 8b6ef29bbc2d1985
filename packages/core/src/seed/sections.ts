import * as v from 'valibot'
import { forEachItem } from './seed-path.ts'
import type { Section, Seeder } from './seeder.ts'

// biome-ignore lint/suspicious/noExplicitAny: sections with any items and parents
type AnySection = Section<string, any, any>

type SectionFields<S extends readonly AnySection[]> = {
  [One in S[number] as One['name']]: v.OptionalSchema<v.ArraySchema<One['schema'], undefined>, undefined>
}

/** The schema entries of sections: one optional list for each. */
export const sectionFields = <const S extends readonly AnySection[]>(sections: S): SectionFields<S> =>
  Object.fromEntries(sections.map(({ name, schema }) => [name, v.optional(v.array(schema))])) as SectionFields<S>

/** Seeds the items of `values` in the order of the sections. */
export async function seedSections(
  seeder: Seeder,
  sections: readonly AnySection[],
  values: object,
  parent: unknown,
): Promise<void> {
  const lists = values as Readonly<Record<string, readonly unknown[] | undefined>>
  for (const { name, seed } of sections) {
    await forEachItem(name, lists[name] ?? [], async (item) => {
      await seed(seeder, item, parent)
      seeder.reportItem()
    })
  }
}
