import { expect, test } from 'vitest'
import { createPageQueryWriter, createPagingHeaders } from './paging-headers.ts'

const query = createPageQueryWriter([
  { wire: 'page', input: 'page', fallback: 1 },
  { wire: 'per_page', input: 'perPage', fallback: 20 },
])({}, 20)

const headers = (page: number, items: number, total: number | undefined, hasNext: boolean) =>
  createPagingHeaders(
    { page, perPage: 20, total, hasNext, items: Array(items).fill(null) },
    'http://forge/things',
    query,
  )

const link = (page: number, relation: string) => `<http://forge/things?page=${page}&per_page=20>; rel="${relation}"`

test('a counted list has totals and a link to the last page', () => {
  expect(headers(2, 20, 45, true)).toEqual({
    'X-Total': '45',
    'X-Total-Pages': '3',
    'X-Per-Page': '20',
    'X-Page': '2',
    'X-Next-Page': '3',
    'X-Prev-Page': '1',
    Link: [link(1, 'prev'), link(3, 'next'), link(1, 'first'), link(3, 'last')].join(', '),
  })
  expect(headers(1, 0, 0, false)).toMatchObject({ 'X-Total': '0', 'X-Total-Pages': '1', 'X-Next-Page': '' })
  expect(headers(9, 0, 45, false)).toMatchObject({ 'X-Page': '9', 'X-Next-Page': '', 'X-Prev-Page': '' })
})

test('an uncounted list links to the previous and the next page only', () => {
  expect(headers(700, 20, undefined, true)).toEqual({
    'X-Per-Page': '20',
    'X-Page': '700',
    'X-Next-Page': '701',
    'X-Prev-Page': '699',
    Link: [link(699, 'prev'), link(701, 'next'), link(1, 'first')].join(', '),
  })
  expect(headers(9_000, 0, undefined, false)).toMatchObject({
    'X-Next-Page': '',
    'X-Prev-Page': '',
    Link: link(1, 'first'),
  })
})
