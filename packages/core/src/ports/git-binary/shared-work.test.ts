import { describe, expect, test } from 'vitest'
import { sharedWork } from './shared-work.ts'

describe('sharedWork', () => {
  test('does one piece of work for all who ask at the same time', async () => {
    const shared = sharedWork()
    let runs = 0
    const work = async () => {
      runs += 1
      return runs
    }
    expect(await Promise.all([1, 2, 3].map(() => shared('key', undefined, work)))).toEqual([1, 1, 1])
    expect(await shared('key', undefined, work)).toBe(2)
    expect(await Promise.all([shared('a', undefined, work), shared('b', undefined, work)])).toEqual([3, 4])
  })

  test('ends the work when the last one has gone, not before', async () => {
    const shared = sharedWork()
    const ended: unknown[] = []
    const work = (signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended.push(signal.reason)
          reject(signal.reason)
        })
        setTimeout(() => resolve('done'), 200)
      })
    const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()]
    const first = shared('key', one.signal, work)
    const second = shared('key', two.signal, work)
    one.abort(new Error('first gone'))
    await expect(first).rejects.toThrow('first gone')
    expect(ended).toEqual([])
    two.abort(new Error('second gone'))
    await expect(second).rejects.toThrow('second gone')
    expect(ended).toEqual([new Error('second gone')])
    expect(await shared('key', three.signal, work)).toBe('done')
  })

  test('failures reach everybody and are not kept', async () => {
    const shared = sharedWork()
    const fail = () => Promise.reject(new Error('no'))
    const failed = await Promise.allSettled([shared('key', undefined, fail), shared('key', undefined, fail)])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await shared('key', undefined, async () => 'yes')).toBe('yes')
  })
})
