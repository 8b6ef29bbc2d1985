import * as v from 'valibot'
import { collect } from './pages.ts'
import type { SectionParent } from './section-parent.ts'
import { atSeedPath, forEachItem } from './seed-path.ts'
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
  parent: SectionParent | undefined,
): Promise<void> {
  const lists = values as Readonly<Record<string, readonly unknown[] | undefined>>
  for (const { name, identity, seed } of sections) {
    const items = lists[name] ?? []
    const isAddition = seeder.existing !== 'reject' && parent !== undefined && !parent.isNew && items.length > 0
    // Without names, an existing item looks like a missing one.
    if (isAddition && !identity) continue
    const existing = new Set<string>(
      isAddition && identity
        ? await atSeedPath(`.${name}`, () => collect(identity.listNames(seeder, parent, items)))
        : [],
    )
    await forEachItem(name, items, async (item) => {
      if (!identity || !existing.has(identity.nameOf(item))) await seed(seeder, item, parent)
      else if (seeder.existing === 'update') await identity.update?.(seeder, item, parent)
      seeder.reportItem()
      await seeder.endStep()
    })
  }
}
