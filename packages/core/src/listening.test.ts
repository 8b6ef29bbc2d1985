import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const settled = () => new Promise((resolve) => setTimeout(resolve, 20))
const label = (name: string) => ({ project: 'acme/web', name, color: 'teal' })

test('listeners hear in the order in which they began, of facts in the order in which they became true', async () => {
  const heard: string[] = []
  for (const who of ['first', 'second']) {
    forge.platform.on('label.created', ({ label }) => void heard.push(`${who}: ${label.name}`))
  }
  await forge.host.labels.create(label('one'))
  await forge.host.labels.create(label('two'))
  await settled()
  expect(heard).toEqual(['first: one', 'second: one', 'first: two', 'second: two'])
})

test('a fact is told when it can be read by everybody', async () => {
  const seen = new Promise((resolve, reject) => {
    forge.platform.on('label.created', ({ label: { id } }) =>
      forge.platform.labels.get({ project: 'acme/web', label: id }).then(resolve, reject),
    )
  })
  await forge.host.labels.create(label('seen'))
  expect(await seen).toMatchObject({ name: 'seen' })
})

test('facts of several calls in one transaction are told together, after its end', async () => {
  const heard: string[] = []
  forge.platform.on('label.created', ({ label }) => void heard.push(label.name))
  forge.platform.on('project.created', ({ project }) => void heard.push(project.path))
  await forge.platform.atomic(async (open) => {
    const host = open.as({ system: 'test' })
    await host.labels.create(label('one'))
    await host.projects.create({ namespace: 'acme', path: 'new', name: 'New' })
    await host.labels.create(label('two'))
    expect(heard).toEqual([])
  })
  await settled()
  expect(heard).toEqual(['one', 'new', 'two'])
})

test('what is rolled back is never told', async () => {
  const heard: string[] = []
  forge.platform.on('label.created', ({ label }) => void heard.push(label.name))
  const undone = forge.platform.atomic(async (open) => {
    await open.as({ system: 'test' }).labels.create(label('undone'))
    throw new Error('changed my mind')
  })
  await expect(undone).rejects.toThrow('changed my mind')
  await expect(forge.host.labels.create(label('bug'))).rejects.toMatchObject({ code: 'conflict' })
  await expect(forge.as('mallory').labels.create(label('secret'))).rejects.toThrow()
  await settled()
  expect(heard).toEqual([])
})

test('whoever ends listening hears nothing more, and ends it for nobody else', async () => {
  const heard: string[] = []
  const listening = (who: string) =>
    forge.platform.on('label.created', ({ label }) => void heard.push(`${who}: ${label.name}`))
  const end = listening('first')
  listening('second')
  await forge.host.labels.create(label('one'))
  await settled()
  end()
  end()
  await forge.host.labels.create(label('two'))
  await settled()
  expect(heard).toEqual(['first: one', 'second: one', 'second: two'])
})

test('one function that listens twice ends one listening at a time', async () => {
  let heard = 0
  const listener = () => void heard++
  const ends = [forge.platform.on('label.created', listener), forge.platform.on('label.created', listener)]
  await forge.host.labels.create(label('one'))
  await settled()
  expect(heard).toBe(2)
  ends[0]?.()
  await forge.host.labels.create(label('two'))
  await settled()
  expect(heard).toBe(3)
  ends[1]?.()
  await forge.host.labels.create(label('three'))
  await settled()
  expect(heard).toBe(3)
})

test('a listener that makes facts of its own is heard, and the call that it heard of is not held up', async () => {
  const heard: string[] = []
  forge.platform.on('label.created', async ({ label: made }) => {
    heard.push(made.name)
    if (made.name === 'one') await forge.host.labels.create(label('two'))
  })
  await forge.host.labels.create(label('one'))
  for (let tries = 0; heard.length < 2 && tries < 100; tries++) await settled()
  expect(heard).toEqual(['one', 'two'])
})
