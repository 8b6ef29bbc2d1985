import type { Page } from '../kernel/paging.ts'
import type { Session } from '../session.ts'
import { type Paging, readPages } from './pages.ts'
import { type SectionParent, toParentInput } from './section-parent.ts'
import type { ItemIdentity } from './seeder.ts'

/** The input of a list for a project, a group or the instance. */
interface ListInput extends Paging {
  readonly project?: number | string | undefined
  readonly group?: number | string | undefined
}

/** Operations that list items of a project, a group or, without both, the instance. */
interface Family<Listed> {
  list(input: ListInput): Promise<Page<Listed>>
}

/** Recognizes existing items by a name that the items of a list operation have too. */
export const namedIn = <Item, Listed, Parent extends SectionParent | undefined = SectionParent>(
  getFamily: (host: Session) => Family<Listed>,
  nameOf: (item: Item | Listed) => string,
  update?: ItemIdentity<Item, Parent>['update'],
): ItemIdentity<Item, Parent> => ({
  nameOf,
  async *listNames(seeder, parent) {
    const { list } = getFamily(seeder.asHost())
    for await (const item of readPages<ListInput, Listed>(list, parent ? toParentInput(parent) : {})) yield nameOf(item)
  },
  ...(update && { update }),
})
