import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyStore } from '../../../../test/world.ts'
import { fetchPage, paginate, paginateArray } from './paging.ts'
import type { Store } from './store.ts'

/** A list of `size` rows that records how it was read. */
const createList = (size: number) => {
  const reads = { rows: 0, counts: 0 }
  return {
    reads,
    async find({ limit, offset }: { limit: number; offset: number }) {
      reads.rows = limit
      return Array.from({ length: Math.max(0, Math.min(limit, size - offset)) }, (_, at) => offset + at)
    },
    async count(most: number) {
      reads.counts += 1
      return Math.min(most, size)
    },
  }
}

test('returns the same pages as slicing the whole list', async () => {
  const size = fc.oneof(fc.nat(30), fc.integer({ min: 9_990, max: 10_010 }), fc.constant(50_000))
  const page = fc.oneof(fc.integer({ min: -1, max: 8 }), fc.integer({ min: 95, max: 102 }), fc.integer({ min: 1 }))
  const perPage = fc.oneof(fc.constantFrom(-3, 1, 2, 20, 100, 1_000), fc.integer({ min: 1, max: 100 }))
  await fc.assert(
    fc.asyncProperty(size, page, perPage, async (rows, number, length) => {
      const whole = Array.from({ length: rows }, (_, at) => at)
      const input = { page: number, perPage: length }
      const fetched = await fetchPage(input, createList(rows))
      expect(fetched).toEqual(paginateArray(whole, input))
      expect(fetched.total).toBe(rows > 10_000 ? undefined : rows)
      const before = Math.min((fetched.page - 1) * fetched.perPage, rows)
      expect(fetched.hasNext).toBe(before + fetched.items.length < rows && fetched.items.length > 0)
    }),
  )
})

test('counts the rows only when the page does not reveal the total', async () => {
  const counts = async (size: number, page: number) => {
    const list = createList(size)
    await fetchPage({ page, perPage: 20 }, list)
    expect(list.reads.rows).toBe(21)
    return list.reads.counts
  }
  expect(await counts(0, 1)).toBe(0)
  expect(await counts(20, 1)).toBe(0)
  expect(await counts(35, 2)).toBe(0)
  expect(await counts(21, 1)).toBe(1)
  // An empty page beyond the end does not reveal the total.
  expect(await counts(35, 3)).toBe(1)
  // The page starts at the counting limit of 10,000 rows.
  expect(await counts(50_000, 501)).toBe(0)
})

let store: Store
beforeAll(async () => {
  store = await emptyStore()
})
afterAll(() => store.close())

test('counts up to 10,000 rows of a query and sets hasNext beyond them', async () => {
  const name = (number: number) => `job ${number}`
  const add = (from: number, count: number) =>
    store.write(async ({ db }) => {
      for (let at = from; at < from + count; at += 500) {
        const names = Array.from({ length: Math.min(500, from + count - at) }, (_, index) => name(at + index))
        const rows = names.map((username) => ({
          username,
          name: username,
          email: `${username.replace(' ', '')}@example.com`,
          state: 'active' as const,
          admin: false,
          external: false,
          privateProfile: false,
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-01T00:00:00.000Z',
        }))
        await db.insertInto('user').values(rows).execute()
      }
    })
  const read = (page: number) =>
    store.read(({ db }) =>
      paginate(
        db.selectFrom('user').orderBy('id').select(['username', 'state']),
        { page, perPage: 100 },
        ({ username }) => username,
      ),
    )
  await add(0, 10_000)
  expect(await read(1)).toMatchObject({ total: 10_000, hasNext: true })
  expect(await read(100)).toMatchObject({ total: 10_000, hasNext: false })
  expect(await read(101)).toMatchObject({ items: [], total: 10_000, hasNext: false })
  await add(10_000, 1)
  expect(await read(1)).toMatchObject({ total: undefined, hasNext: true })
  expect(await read(100)).toMatchObject({ total: undefined, hasNext: true })
  expect(await read(101)).toEqual({ items: [name(10_000)], page: 101, perPage: 100, total: undefined, hasNext: false })
  expect(await read(102)).toMatchObject({ items: [], total: undefined, hasNext: false })
})
