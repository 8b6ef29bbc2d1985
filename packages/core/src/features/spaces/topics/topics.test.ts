import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const namesOf = async () => (await forge.host.topics.list({})).items.map(({ name }) => name)

test('names that differ in case only are one topic', async () => {
  await forge.host.projects.update({ project, settings: { tagList: ['Rust', 'rust', ' RUST ', ''] } })
  await forge.host.projects.update({ project: 'acme/tools/deploy', settings: { tagList: ['RUST'] } })
  expect((await forge.host.topics.list({})).items).toMatchObject([{ name: 'Rust', totalProjectsCount: 2 }])
})

test('removed projects and other settings change the counts and the list', async () => {
  await forge.host.projects.update({ project, settings: { tagList: ['rust'] } })
  await forge.host.projects.update({ project, settings: { wikiAccessLevel: 'private' } })
  expect((await forge.host.topics.list({})).items).toMatchObject([{ totalProjectsCount: 1 }])
  await forge.host.projects.remove({ project })
  expect((await forge.host.topics.list({})).items).toMatchObject([{ totalProjectsCount: 0 }])
  expect(await namesOf()).toEqual(['rust'])
})

test('lists of a group are filtered by topics', async () => {
  await forge.host.projects.update({ project, settings: { tagList: ['rust'] } })
  const { items } = await forge.host.projects.list({ group: 'acme', topic: ['RUST'], includeSubgroups: true })
  expect(items.map(({ fullPath }) => fullPath)).toEqual([project])
})
