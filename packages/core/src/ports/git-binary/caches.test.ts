import { expect, test } from 'vitest'
import { createGitCaches, invalidateRepository } from './caches.ts'

test('drops the least recently used entries above the limit', () => {
  const { peeledCommits } = createGitCaches(2100)
  for (let index = 0; index < 10; index += 1) peeledCommits.set(`key-${index}`, 'commit')
  expect(peeledCommits.get('key-0')).toBe('commit')
  peeledCommits.set('key-10', 'commit')
  expect(peeledCommits.get('key-1')).toBeUndefined()
  expect(peeledCommits.get('key-0')).toBe('commit')
})

test('does not store an entry larger than an eighth of the limit', () => {
  const { contributors } = createGitCaches(10_000)
  const contributor = { name: 'A', email: 'a@b', commits: 1, additions: 1, deletions: 1 }
  const createTotals = (count: number) => ({ contributors: Array(count).fill(contributor), commits: 1, hasMore: false })
  contributors.set('small', createTotals(3))
  contributors.set('large', createTotals(4))
  expect(contributors.get('small')?.contributors).toHaveLength(3)
  expect(contributors.get('large')).toBeUndefined()
})

test('invalidates the entries of one repository only', () => {
  const caches = createGitCaches(10_000)
  for (const key of ['/a\0one', '/a\0two', '/ab\0one']) caches.mergeBases.set(key, 'base')
  caches.treeTotals.set('/a\0one', { tree: 0, blob: 1, commit: 0, hasUnsafeNames: false })
  invalidateRepository(caches, '/a')
  expect([...caches.mergeBases.keys()]).toEqual(['/ab\0one'])
  expect(caches.treeTotals.size).toBe(0)
})
