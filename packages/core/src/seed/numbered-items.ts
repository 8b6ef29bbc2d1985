import { forEachItem } from './seed-path.ts'
import type { Seeder } from './seeder.ts'

/**
 * Seeds the items that belong to another one, and adds them to the result: under the name in `as`, or the parent's name and
 * their number, `acme/web#Dark mode 1`.
 */
export const seedNumberedItems = <Item extends { readonly as?: string | undefined }>(
  seeder: Seeder,
  section: string,
  items: readonly Item[],
  parentName: string,
  create: (fields: Omit<Item, 'as'>) => Promise<{ readonly id: number }>,
): Promise<void> =>
  forEachItem(section, items, async ({ as: name, ...fields }, index) => {
    const { id } = await create(fields)
    seeder.record(section, name ?? `${parentName} ${index + 1}`, { id })
    await seeder.endStep()
  })
