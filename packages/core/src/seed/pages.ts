import type { Page, PagingInput } from '../kernel/paging.ts'

/** Reads all items of a list, page by page. */
export async function* readPages<T>(read: (paging: PagingInput) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let page = 1; ; page++) {
    const { items, hasNext } = await read({ page, perPage: 100 })
    yield* items
    if (!hasNext) return
  }
}

export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

/** All items of a list. */
export const readAll = <T>(read: (paging: PagingInput) => Promise<Page<T>>): Promise<T[]> => collect(readPages(read))
