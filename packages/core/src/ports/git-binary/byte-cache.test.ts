import { describe, expect, test } from 'vitest'
import { byteCache } from './byte-cache.ts'

describe('byteCache', () => {
  test('forgets what was used longest ago', () => {
    const cache = byteCache<number>(10_000)
    for (let index = 0; index < 12; index += 1) cache.set(`key-${index}`, index, 800)
    expect(cache.get('key-0')).toBeUndefined()
    expect(cache.get('key-2')).toBe(2)
    cache.set('key-12', 12, 800)
    expect(cache.get('key-3')).toBeUndefined()
    expect(cache.get('key-2')).toBe(2)
    cache.set('key-2', 22, 800)
    expect(cache.get('key-2')).toBe(22)
  })

  test('keeps nothing that fills it alone, and drops by prefix', () => {
    const cache = byteCache<string>(10_000)
    cache.set('large', 'x', 5000)
    expect(cache.get('large')).toBeUndefined()
    cache.set('a\0one', 'x', 1)
    cache.set('a\0two', 'x', 1)
    cache.set('ab\0one', 'y', 1)
    cache.drop('a\0')
    expect([cache.get('a\0one'), cache.get('a\0two'), cache.get('ab\0one')]).toEqual([undefined, undefined, 'y'])
  })
})
