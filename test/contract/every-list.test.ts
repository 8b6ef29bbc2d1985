import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { createValidRequests, toLine, type ValidRequests } from '../http/valid-requests.ts'
import { world } from '../world.ts'
import { client } from './client.ts'
import {
  type Filter,
  filtersOf,
  type Item,
  listParameters,
  ordersOf,
  otherPlaces,
  otherReaders,
  readShown,
  showsExactly,
  untested,
  valuesOf,
  widening,
} from './list-filter-values.ts'
import { defaultOrders, findDisorder, readOrdered } from './list-orders.ts'
import { varyLists } from './varied-lists.ts'

/**
 * Every filter of every list of the OpenAPI document keeps something and removes something; every order sorts, and the default order is
 * the documented one.
 */

let forge: FakeForge
let requests: ValidRequests
let known: Readonly<Record<string, string | number>>
beforeAll(async () => {
  forge = await world({ seed: fullSeed })
  const ids = await readAllIds(forge)
  const made = await varyLists(forge, client(forge), ids)
  const { id: acme } = await forge.host.groups.get({ group: 'acme' })
  const { id: root } = await forge.host.users.get({ user: 'root' })
  known = { ...ids, acme, root }
  requests = createValidRequests(forge, { ...ids, ...made })
}, 120_000)
afterAll(() => forge.close())

type Reader = (query: Item, entry?: string) => Promise<readonly Item[] | undefined>

/** Reads a list: none if what a filter names does not exist; undefined for a value that it rejects. */
const createReader = async (route: Route, line: string): Promise<Reader> => {
  const { path, parameters } = await requests.prepare(route)
  const base = { ...parameters, per_page: 100, ...listParameters(line) }
  return async (query, entry = '') => {
    const values = { path: { ...path, ...otherPlaces[line], ...otherPlaces[entry] }, parameters: { ...base, ...query } }
    const headers = { 'private-token': `${otherReaders[entry] ?? 'root'}-token` }
    const response = await requests.send(route, values, headers)
    const body: unknown = await response.json()
    expect([line, query, response.headers.get('forgelet-unsupported-parameters')]).toEqual([line, query, null])
    if (response.status === 404) return []
    return response.status === 200 ? (body as Item[]) : undefined
  }
}

const keyOf = (item: Item) =>
  String(item.id ?? item.iid ?? item.name ?? item.key ?? item.path ?? JSON.stringify(item.user ?? item))

const keysOf = (items: readonly Item[]) => items.map(keyOf).sort()

/** What is wrong with a filter, or undefined. */
const findFault = async (line: string, filter: Filter, read: Reader, items: readonly Item[]) => {
  const entry = `${line}: ${filter.name}`
  const isElsewhere = entry in otherPlaces
  const all = new Set(keysOf(items))
  const sizes = new Set(isElsewhere ? [] : [items.length])
  let keeps = false
  for (const value of valuesOf(line, filter, items, known)) {
    const required = { ...listParameters(filter.name), ...listParameters(entry) }
    const found = await read({ ...required, ...filter.build(value) }, entry)
    if (!found) continue
    sizes.add(found.length)
    keeps ||= found.length > 0
    if (isElsewhere || widening.test(filter.name)) continue
    const keys = keysOf(found)
    if (keys.some((key) => !all.has(key))) return `${value} adds items`
    if (!showsExactly(filter, value, items)) continue
    const expected = keysOf(items.filter((item) => readShown(item, filter).includes(String(value)) !== filter.excludes))
    if (keys.join() !== expected.join()) return `${value}: ${keys} instead of ${expected}`
  }
  if (!keeps) return 'keeps nothing'
  return sizes.size > 1 ? undefined : 'removes nothing'
}

const allLists = routes
  .filter(({ method, respond }) => method === 'GET' && respond.paged === true)
  .map((route) => ({ line: toLine(route), route }))

const lists = allLists
  .map(({ line, route }) => ({ line, route, filters: filtersOf(route) }))
  .filter(({ filters }) => filters.length > 0)

describe('every filter keeps what it selects, and removes the rest', () => {
  test.each(lists)(
    '$line',
    async ({ line, route, filters }) => {
      const read = await createReader(route, line)
      const items = (await read({})) ?? []
      const faults: [string, string][] = []
      for (const filter of filters) {
        if (filter.name in untested) continue
        const fault = await findFault(line, filter, read, items)
        if (fault) faults.push([`${line}: ${filter.name}`, fault])
      }
      expect(faults.filter(([entry]) => !(entry in untested))).toEqual([])
      const reasons = Object.keys(untested).filter((entry) => entry.startsWith(`${line}: `))
      expect(faults.map(([entry]) => entry).filter((entry) => entry in untested)).toEqual(reasons)
    },
    60_000,
  )
})

describe('every list is sorted', () => {
  test('by default as documented', async () => {
    const read = await Promise.all(
      Object.entries(defaultOrders).map(async ([line, [field, direction]]) => {
        const list = allLists.find((other) => other.line === line)
        const items = list && (await (await createReader(list.route, line))({}))
        const values = items && readOrdered(items, field)
        return { line, values, disorder: values && findDisorder(values, direction) }
      }),
    )
    expect(read.filter(({ values }) => !values?.length).map(({ line }) => line)).toEqual([])
    expect(read.filter(({ disorder }) => disorder?.length)).toEqual([])
  })

  test.each(
    allLists.flatMap(({ line, route }) => {
      const orders = ordersOf(route)
      return orders.length > 0 ? [{ line, route, orders }] : []
    }),
  )('by the parameters of $line', async ({ line, route, orders }) => {
    const read = await createReader(route, line)
    for (const order_by of orders) {
      for (const sort of ['asc', 'desc'] as const) {
        const values = readOrdered((await read({ order_by, sort })) ?? [], order_by)
        expect([order_by, sort, values && findDisorder(values, sort)]).toEqual([order_by, sort, values && []])
      }
    }
  })
})
