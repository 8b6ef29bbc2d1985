import { describe, expect, test } from 'vitest'
import { createCoalescer } from './coalescer.ts'

describe('createCoalescer', () => {
  test('runs once for concurrent calls with the same key', async () => {
    const coalesce = createCoalescer()
    let runs = 0
    const work = async () => {
      runs += 1
      return runs
    }
    expect(await Promise.all([1, 2, 3].map(() => coalesce('key', undefined, work)))).toEqual([1, 1, 1])
    expect(await coalesce('key', undefined, work)).toBe(2)
    expect(await Promise.all([coalesce('a', undefined, work), coalesce('b', undefined, work)])).toEqual([3, 4])
  })

  test('aborts the work with its last caller', async () => {
    const coalesce = createCoalescer()
    const reasons: unknown[] = []
    const work = (signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason)
          reject(signal.reason)
        })
        setTimeout(() => resolve('done'), 200)
      })
    const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()]
    const first = coalesce('key', one.signal, work)
    const second = coalesce('key', two.signal, work)
    one.abort(new Error('first gone'))
    await expect(first).rejects.toThrow('first gone')
    expect(reasons).toEqual([])
    two.abort(new Error('second gone'))
    await expect(second).rejects.toThrow('second gone')
    expect(reasons).toEqual([new Error('second gone')])
    expect(await coalesce('key', three.signal, work)).toBe('done')
  })

  test('rejects all callers of failed work and does not cache the failure', async () => {
    const coalesce = createCoalescer()
    const fail = () => Promise.reject(new Error('no'))
    const failed = await Promise.allSettled([coalesce('key', undefined, fail), coalesce('key', undefined, fail)])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await coalesce('key', undefined, async () => 'yes')).toBe('yes')
  })
})
