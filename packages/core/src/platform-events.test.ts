import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const waitForListeners = () => new Promise((resolve) => setTimeout(resolve, 20))
const createLabelInput = (name: string) => ({ project: 'acme/web', name, color: 'teal' })

test('calls listeners in the order of subscription and signals in the order of emission', async () => {
  const received: string[] = []
  for (const name of ['first', 'second']) {
    forge.platform.on('label.created', ({ label }) => void received.push(`${name}: ${label.name}`))
  }
  await forge.host.labels.create(createLabelInput('one'))
  await forge.host.labels.create(createLabelInput('two'))
  await waitForListeners()
  expect(received).toEqual(['first: one', 'second: one', 'first: two', 'second: two'])
})

test('notifies listeners when the change is visible to other callers', async () => {
  const seen = new Promise((resolve, reject) => {
    forge.platform.on('label.created', ({ label: { id } }) =>
      forge.platform.labels.get({ project: 'acme/web', label: id }).then(resolve, reject),
    )
  })
  await forge.host.labels.create(createLabelInput('seen'))
  expect(await seen).toMatchObject({ name: 'seen' })
})

test('notifies listeners of all signals of a transaction after its commit', async () => {
  const received: string[] = []
  forge.platform.on('label.created', ({ label }) => void received.push(label.name))
  forge.platform.on('project.created', ({ project }) => void received.push(project.path))
  await forge.platform.atomic(async (open) => {
    const host = open.as({ system: 'test' })
    await host.labels.create(createLabelInput('one'))
    await host.projects.create({ namespace: 'acme', path: 'new', name: 'New' })
    await host.labels.create(createLabelInput('two'))
    expect(received).toEqual([])
  })
  await waitForListeners()
  expect(received).toEqual(['one', 'new', 'two'])
})

test('does not notify listeners after a rollback', async () => {
  const received: string[] = []
  forge.platform.on('label.created', ({ label }) => void received.push(label.name))
  const undone = forge.platform.atomic(async (open) => {
    await open.as({ system: 'test' }).labels.create(createLabelInput('undone'))
    throw new Error('changed my mind')
  })
  await expect(undone).rejects.toThrow('changed my mind')
  await expect(forge.host.labels.create(createLabelInput('bug'))).rejects.toMatchObject({ code: 'conflict' })
  await expect(forge.as('mallory').labels.create(createLabelInput('secret'))).rejects.toThrow()
  await waitForListeners()
  expect(received).toEqual([])
})

test('stops only the listener that unsubscribes', async () => {
  const received: string[] = []
  const subscribe = (name: string) =>
    forge.platform.on('label.created', ({ label }) => void received.push(`${name}: ${label.name}`))
  const unsubscribe = subscribe('first')
  subscribe('second')
  await forge.host.labels.create(createLabelInput('one'))
  await waitForListeners()
  unsubscribe()
  unsubscribe()
  await forge.host.labels.create(createLabelInput('two'))
  await waitForListeners()
  expect(received).toEqual(['first: one', 'second: one', 'second: two'])
})

test('unsubscribes one subscription at a time when a function subscribes twice', async () => {
  let received = 0
  const listener = () => void received++
  const unsubscribes = [forge.platform.on('label.created', listener), forge.platform.on('label.created', listener)]
  await forge.host.labels.create(createLabelInput('one'))
  await waitForListeners()
  expect(received).toBe(2)
  unsubscribes[0]?.()
  await forge.host.labels.create(createLabelInput('two'))
  await waitForListeners()
  expect(received).toBe(3)
  unsubscribes[1]?.()
  await forge.host.labels.create(createLabelInput('three'))
  await waitForListeners()
  expect(received).toBe(3)
})

test('notifies listeners of changes that a listener makes, without delaying the original call', async () => {
  const received: string[] = []
  forge.platform.on('label.created', async ({ label }) => {
    received.push(label.name)
    if (label.name === 'one') await forge.host.labels.create(createLabelInput('two'))
  })
  await forge.host.labels.create(createLabelInput('one'))
  for (let attempts = 0; received.length < 2 && attempts < 100; attempts++) await waitForListeners()
  expect(received).toEqual(['one', 'two'])
})
