import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../contract/client.ts'
import { world } from '../world.ts'

const project = 'acme/web'
const list = '/projects/acme%2Fweb/dependencies'

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
afterAll(() => forge.close())

const fill = (count: number) =>
  forge.host.dependencies.report({
    project,
    dependencies: Array.from({ length: count }, (_, at) => ({
      name: `part ${String(at).padStart(5, '0')}`,
      packageManager: 'npm' as const,
    })),
  })

const read = async (page: number) => {
  const { body, headers } = await client(forge)(`GET ${list}?per_page=100&page=${page}`, { as: 'bob' })
  const relations = [...(headers.get('link') ?? '').matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation)
  const counted = [headers.get('x-total'), headers.get('x-total-pages')]
  return {
    rows: body.length,
    counted,
    next: headers.get('x-next-page'),
    previous: headers.get('x-prev-page'),
    relations,
  }
}

test('a list of 10,000 rows has totals', async () => {
  await fill(10_000)
  const counted = ['10000', '100']
  expect(await read(1)).toEqual({ rows: 100, counted, next: '2', previous: '', relations: ['next', 'first', 'last'] })
  expect(await read(100)).toEqual({
    rows: 100,
    counted,
    next: '',
    previous: '99',
    relations: ['prev', 'first', 'last'],
  })
  expect(await read(101)).toEqual({ rows: 0, counted, next: '', previous: '', relations: ['first', 'last'] })
})

test('a longer list has no totals, but links to the next page until its end', async () => {
  await fill(10_001)
  const counted = [null, null]
  expect(await read(1)).toEqual({ rows: 100, counted, next: '2', previous: '', relations: ['next', 'first'] })
  expect(await read(100)).toEqual({
    rows: 100,
    counted,
    next: '101',
    previous: '99',
    relations: ['prev', 'next', 'first'],
  })
  expect(await read(101)).toEqual({ rows: 1, counted, next: '', previous: '100', relations: ['prev', 'first'] })
  expect(await read(102)).toEqual({ rows: 0, counted, next: '', previous: '', relations: ['first'] })
})
