import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sqlite } from '../db/sqlite/sqlite.ts'
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

const listenerError = new Error('listener failed')
const failingListeners: Readonly<Record<string, () => void | Promise<void>>> = {
  throws: () => {
    throw listenerError
  },
  rejects: async () => {
    await Promise.resolve()
    throw listenerError
  },
}

const waitForListeners = () => new Promise((resolve) => setTimeout(resolve, 20))

/** Creates a project with a failing and a working listener. Returns whether the working one was called. */
const createProjectWithListener = async (listener: () => void | Promise<void>, options: PlatformOptions) => {
  const platform = createPlatform(sqlite(':memory:'), { identity: { system: 'test' }, ...options })
  let isCalled = false
  platform.on('project.created', listener)
  platform.on('project.created', () => {
    isCalled = true
  })
  await platform.groups.create({ path: 'acme', name: 'Acme' })
  await platform.projects.create({ namespace: 'acme', name: 'web' })
  await waitForListeners()
  expect(await platform.projects.get({ project: 'acme/web' })).toMatchObject({ path: 'web' })
  await platform.close()
  return isCalled
}

describe.each(Object.entries(failingListeners))('a listener that %s', (_, listener) => {
  test('is reported to onListenerError and affects neither the call nor other listeners', async () => {
    const reported: unknown[] = []
    const onListenerError = (error: unknown, signal: string) => void reported.push([error, signal])
    expect(await createProjectWithListener(listener, { onListenerError })).toBe(true)
    expect(reported).toEqual([[listenerError, 'project.created']])
    expect(rejections).toEqual([])
    expect(warnings).toEqual([])
  })

  test('causes a process warning without onListenerError', async () => {
    expect(await createProjectWithListener(listener, {})).toBe(true)
    expect(warnings.map(({ message }) => message)).toEqual(['A listener of project.created failed'])
    expect(rejections).toEqual([])
  })
})

test('a failing onListenerError causes a process warning', async () => {
  const second = new Error('handler failed')
  const broken = [
    () => {
      throw second
    },
    async () => {
      throw second
    },
  ]
  for (const onListenerError of broken) {
    expect(await createProjectWithListener(failingListeners.throws as () => void, { onListenerError })).toBe(true)
  }
  expect(warnings).toHaveLength(2)
  expect(
    warnings.every((warning) => String((warning as Error & { detail: unknown }).detail).includes(second.message)),
  ).toBe(true)
  expect(rejections).toEqual([])
})
