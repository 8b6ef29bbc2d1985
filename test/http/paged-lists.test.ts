import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getInputReader } from '../../packages/http/src/request/input-reader.ts'
import { routes } from '../../packages/http/src/routes.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { world } from '../world.ts'
import { createValidRequests, toLine, type ValidRequests } from './valid-requests.ts'

let forge: FakeForge
let requests: ValidRequests
beforeAll(async () => {
  forge = await world({ seed: fullSeed })
  requests = createValidRequests(forge, await readAllIds(forge))
}, 120_000)
afterAll(() => forge.close())

/** Lists that GitLab does not page either, with what limits their length. */
const wholeLists: Readonly<Record<string, string>> = {
  'GET /projects/:id/repository/files/:file_path/blame': 'the lines of one file, or of a range of them',
  'GET /projects/:id/pipelines/:pipeline_id/variables': 'the variables of the request that created the pipeline',
}

const reading = routes.filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/scim'))

const isPaged = ({ respond }: Route) => respond.paged === true

const rows = (selected: readonly Route[]) => selected.map((route) => [toLine(route), route] as const)

const read = async (route: Route, paging: Readonly<Record<string, unknown>>) => {
  const { path, parameters } = await requests.prepare(route)
  const response = await requests.send(route, { path, parameters: { ...parameters, ...paging } })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const readPage = async (route: Route, paging: Readonly<Record<string, unknown>>) => {
  const { status, headers, body } = await read(route, paging)
  const count = (name: string) => {
    const text = headers.get(name)
    return text ? Number(text) : undefined
  }
  return {
    status,
    items: body as readonly unknown[],
    page: count('x-page'),
    perPage: count('x-per-page'),
    next: count('x-next-page'),
    previous: count('x-prev-page'),
    total: count('x-total'),
    totalPages: count('x-total-pages'),
    links: new Map(
      [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]),
    ),
  }
}

describe('every list is paged', () => {
  test.each(rows(reading.filter((route) => !isPaged(route))))(
    '%s is no list, or has few items',
    async (line, route) => {
      const response = await requests.send(route, await requests.prepare(route))
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      expect(response.ok && isJson && Array.isArray(await response.json())).toBe(line in wholeLists)
    },
  )

  test.each(rows(reading.filter(isPaged)))(
    '%s',
    async (_, route) => {
      const all = await readPage(route, { per_page: 100_000 })
      expect(all).toMatchObject({ status: 200, page: 1, perPage: 100 })
      expect(all.items.length).toBeLessThanOrEqual(100)
      const first = await readPage(route, { per_page: 1 })
      expect(first).toMatchObject({ status: 200, page: 1, perPage: 1 })
      expect(first.items).toEqual(all.items.slice(0, 1))
      expect(first.total).toBe(all.total)
      // Lists of commits have no total; an empty list has one page.
      if (all.total !== undefined) expect(first.totalPages).toBe(Math.max(all.total, 1))
      if (all.total !== undefined && all.next === undefined) expect(all.total).toBe(all.items.length)
      const hasNext = all.items.length > 1
      expect([first.next, first.previous, first.links.has('next'), first.links.has('prev')]).toEqual([
        hasNext ? 2 : undefined,
        undefined,
        hasNext,
        false,
      ])
      const next = first.links.get('next')
      if (next !== undefined) {
        const response = await forge.fetch(next, { headers: { 'private-token': 'root-token' } })
        expect(await response.json()).toEqual(all.items.slice(1, 2))
        expect([response.headers.get('x-page'), response.headers.get('x-prev-page')]).toEqual(['2', '1'])
      }
      const past = await readPage(route, { per_page: 1, page: 1_000_000 })
      expect(past).toMatchObject({ status: 200, items: [], next: undefined })
      for (const page of [0, -1]) expect((await readPage(route, { per_page: 1, page })).page).toBe(1)
      expect((await readPage(route, { per_page: -1 })).perPage).toBe(20)
      for (const [name, value] of [
        ['per_page', 0],
        ['per_page', 'x'],
        ['page', 'x'],
        ['page', 1.5],
      ] as const) {
        const { status, body } = await read(route, { [name]: value })
        expect([name, value, status, body]).toEqual([name, value, 400, expect.anything()])
      }
    },
    60_000,
  )

  const isKeyset = (route: Route) => getInputReader(route).fields.some(({ wire }) => wire === 'pagination')
  test.each(rows(reading.filter((route) => isPaged(route) && isKeyset(route))))(
    '%s has keyset pagination',
    async (_, route) => {
      const { items } = await readPage(route, { per_page: 100, pagination: 'keyset' })
      const first = await readPage(route, { per_page: 1, pagination: 'keyset' })
      expect(first).toMatchObject({ status: 200, total: undefined, next: undefined })
      const found = [...first.items]
      let url = first.links.get('next')
      while (url !== undefined && found.length < 5) {
        const response = await forge.fetch(url, { headers: { 'private-token': 'root-token' } })
        found.push(...((await response.json()) as unknown[]))
        url = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
      }
      expect(found).toEqual(items.slice(0, found.length))
      expect(url === undefined).toBe(found.length === items.length)
    },
  )
})
