import type { Page, PagingInput } from '../kernel/paging.ts'
import type { Session } from '../session.ts'
import { readPages } from './pages.ts'
import type { ItemIdentity } from './seeder.ts'

/** Recognizes existing items by a name that the items of a list operation have too. */
export const namedIn = <Item, Parent, Listed>(
  list: (host: Session, parent: Parent, paging: PagingInput) => Promise<Page<Listed>>,
  nameOfListed: (listed: Listed) => string,
  nameOf: (item: Item) => string,
  update?: ItemIdentity<Item, Parent>['update'],
): ItemIdentity<Item, Parent> => ({
  nameOf,
  async *listNames(seeder, parent) {
    const host = seeder.asHost()
    for await (const item of readPages((paging) => list(host, parent, paging))) yield nameOfListed(item)
  },
  ...(update && { update }),
})
