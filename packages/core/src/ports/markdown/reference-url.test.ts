import { describe, expect, test } from 'vitest'
import { referenceFromUrl } from './reference-url.ts'

const base = 'https://forge.example/sub'
const read = (path: string) => referenceFromUrl(`${base}${path}`, base)

describe('URLs of objects', () => {
  test.each([
    ['/g/p/-/issues/1', { kind: 'issue', project: 'g/p', value: '1' }, 'g/p#1'],
    ['/g/p/issues/1', { kind: 'issue', project: 'g/p', value: '1' }, 'g/p#1'],
    ['/g/p/-/issues/1/', { kind: 'issue', project: 'g/p', value: '1' }, 'g/p#1'],
    ['/g/s/p/-/merge_requests/2', { kind: 'merge_request', project: 'g/s/p', value: '2' }, 'g/s/p!2'],
    ['/g/p/-/milestones/3', { kind: 'milestone', project: 'g/p', value: '3' }, 'g/p%3'],
    ['/groups/g/s/-/milestones/3', { kind: 'milestone', group: 'g/s', value: '3' }, 'g/s%3'],
    ['/groups/g/-/epics/4', { kind: 'epic', group: 'g', value: '4' }, 'g&4'],
    ['/g/p/-/snippets/5', { kind: 'snippet', project: 'g/p', value: '5' }, 'g/p$5'],
    ['/-/snippets/5', { kind: 'snippet', value: '5' }, '$5'],
    ['/snippets/5', { kind: 'snippet', value: '5' }, '$5'],
    ['/g/p/-/commit/ABCDEF0123456', { kind: 'commit', project: 'g/p', value: 'abcdef0123456' }, 'g/p@abcdef01'],
    ['/user', { kind: 'user', value: 'user' }, '@user'],
    ['/groups/g/s', { kind: 'user', value: 'g/s' }, '@g/s'],
  ])('%s', (path, reference, short) => {
    expect(read(path)).toEqual({ reference, short, anchor: '' })
  })

  test('an anchor is kept apart', () => {
    expect(read('/g/p/-/issues/1#note_7')).toMatchObject({ reference: { value: '1' }, anchor: '#note_7' })
  })
  test('the base may end in a slash', () => {
    expect(referenceFromUrl('http://localhost:3000/g/p/-/issues/1', 'http://localhost:3000/')?.short).toBe('g/p#1')
  })
})

test.each([
  '',
  '/',
  '/g/p',
  '/g/p/-/issues',
  '/g/p/-/issues/new',
  '/g/p/-/issues/1/designs',
  '/g/p/-/issues/1?a=b',
  '/g/p/-/issues/12345678901',
  '/-/issues/1',
  '/issues/1',
  '/groups/g/-/issues/1',
  '/g/p/-/commit/abcdef',
  '/g/p/-/commits/abcdef1',
  '/g/p/-/tree/main',
  '/g p/-/issues/1',
  '/../p/-/issues/1',
  '/.x',
  `/${'g/'.repeat(600)}p/-/issues/1`,
])('%s names no object', (path) => {
  expect(read(path)).toBeUndefined()
})

test('other places are not ours', () => {
  expect(referenceFromUrl('https://forge.example/g/p/-/issues/1', base)).toBeUndefined()
  expect(referenceFromUrl('https://forge.example/subway/p/-/issues/1', base)).toBeUndefined()
  expect(referenceFromUrl('https://forge.example.evil/sub/g/p/-/issues/1', base)).toBeUndefined()
})
