import type { Page } from '../kernel/paging.ts'

/** Fields that the input of every list with pages has. */
export interface Paging {
  readonly page?: number | undefined
  readonly perPage?: number | undefined
}

/** An operation that lists items, whose input may be optional. */
export type List<I extends Paging, T> = ((input: I) => Promise<Page<T>>) | ((input?: I) => Promise<Page<T>>)

/** Reads all items of a list, page by page. */
export async function* readPages<I extends Paging, T>(list: List<I, T>, input: NoInfer<I>): AsyncGenerator<T> {
  for (let page = 1; ; page++) {
    const { items, hasNext } = await list({ ...input, page, perPage: 100 })
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
export const readAll = <I extends Paging, T>(list: List<I, T>, input: NoInfer<I>): Promise<T[]> =>
  collect(readPages(list, input))
