import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sqlite } from '../db/sqlite.ts'
import { createPlatform, type PlatformOptions } from '../platform.ts'

const rejections: unknown[] = []
const warnings: Error[] = []
const onRejection = (reason: unknown) => void rejections.push(reason)
const onWarning = (warning: Error) => void (warning.name === 'ListenerWarning' && warnings.push(warning))
beforeEach(() => {
  process.on('unhandledRejection', onRejection)
  process.on('warning', onWarning)
})
afterEach(() => {
  process.off('unhandledRejection', onRejection)
  process.off('warning', onWarning)
  rejections.length = 0
  warnings.length = 0
})

const problem = new Error('the host is not well')
const failing: Readonly<Record<string, () => void | Promise<void>>> = {
  throws: () => {
    throw problem
  },
  rejects: async () => {
    await Promise.resolve()
    throw problem
  },
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

/** A project is made while one listener fails and another is well. Tells whether the second heard of it. */
const tellOf = async (listener: () => void | Promise<void>, options: PlatformOptions) => {
  const platform = createPlatform(sqlite(':memory:'), { identity: { system: 'test' }, ...options })
  let isHeard = false
  platform.on('project.created', listener)
  platform.on('project.created', () => {
    isHeard = true
  })
  await platform.groups.create({ path: 'acme', name: 'Acme' })
  await platform.projects.create({ namespace: 'acme', name: 'web' })
  await settled()
  expect(await platform.projects.get({ project: 'acme/web' })).toMatchObject({ path: 'web' })
  await platform.close()
  return isHeard
}

describe.each(Object.entries(failing))('a listener that %s', (_, listener) => {
  test('is told of to the host, and neither undoes the fact nor keeps it from others', async () => {
    const told: unknown[] = []
    const onListenerError = (error: unknown, fact: string) => void told.push([error, fact])
    expect(await tellOf(listener, { onListenerError })).toBe(true)
    expect(told).toEqual([[problem, 'project.created']])
    expect(rejections).toEqual([])
    expect(warnings).toEqual([])
  })

  test('makes the process warn when the host does not ask', async () => {
    expect(await tellOf(listener, {})).toBe(true)
    expect(warnings.map(({ message }) => message)).toEqual(['A listener of project.created failed'])
    expect(rejections).toEqual([])
  })
})

test('a host whose own handler fails is warned of that', async () => {
  const second = new Error('the handler is not well either')
  const broken = [
    () => {
      throw second
    },
    async () => {
      throw second
    },
  ]
  for (const onListenerError of broken) {
    expect(await tellOf(failing.throws as () => void, { onListenerError })).toBe(true)
  }
  expect(warnings).toHaveLength(2)
  expect(
    warnings.every((warning) => String((warning as Error & { detail: unknown }).detail).includes(second.message)),
  ).toBe(true)
  expect(rejections).toEqual([])
})
