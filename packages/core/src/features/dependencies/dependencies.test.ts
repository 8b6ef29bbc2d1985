import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const rails = {
  name: 'rails',
  version: '5.0.1',
  packageManager: 'bundler' as const,
  dependencyFilePath: 'Gemfile.lock',
  vulnerabilities: [{ name: 'DDoS', severity: 'unknown' as const }],
}
const hanami = { ...rails, name: 'hanami', version: '1.3.1', vulnerabilities: [] }
const lodash = { ...rails, name: 'lodash', packageManager: 'yarn' as const, vulnerabilities: [] }

const namesFor = async (user: string, packageManager?: readonly ('bundler' | 'yarn' | 'npm')[]) =>
  (
    await forge.as(user).dependencies.list({ project, ...(packageManager && { packageManager: [...packageManager] }) })
  ).items.map(({ name }) => name)

test('a report replaces the one before', async () => {
  const { dependencies } = forge.as('bob')
  expect(await namesFor('bob')).toEqual([])
  expect(await dependencies.report({ project, dependencies: [rails, hanami] })).toEqual({ total: 2 })
  expect(await namesFor('bob')).toEqual(['hanami', 'rails'])
  await dependencies.report({ project, dependencies: [rails, lodash] })
  expect(await namesFor('bob')).toEqual(['lodash', 'rails'])
  expect(await namesFor('bob', ['yarn', 'npm'])).toEqual(['lodash'])
  await dependencies.report({ project, dependencies: [] })
  expect(await namesFor('bob')).toEqual([])
})

test('vulnerabilities are for developers and above', async () => {
  await forge.as('bob').dependencies.report({ project, dependencies: [rails, hanami] })
  const seen = async (user: string) => (await forge.as(user).dependencies.list({ project })).items
  expect(await seen('bob')).toEqual([hanami, rails])
  expect((await seen('root')).map(({ vulnerabilities }) => vulnerabilities)).toEqual([[], rails.vulnerabilities])
  for (const user of ['carol', 'mallory']) {
    for (const one of await seen(user)) expect(one).not.toHaveProperty('vulnerabilities')
  }
})

test('a report of many thousands fits', async () => {
  const many = Array.from({ length: 3_001 }, (_, at) => ({ ...lodash, name: `package-${String(at).padStart(5, '0')}` }))
  await forge.as('bob').dependencies.report({ project, dependencies: many })
  expect(await forge.as('bob').dependencies.list({ project, perPage: 1, page: 3_001 })).toMatchObject({
    total: 3_001,
    items: [{ name: 'package-03000' }],
  })
})

test('reports are for developers, and the free tier has none', async () => {
  const report = forge.as('carol').dependencies.report({ project, dependencies: [] })
  await expect(report).rejects.toMatchObject({ code: 'forbidden' })
  const free = await world({ tier: 'free' })
  try {
    await expect(free.host.dependencies.list({ project })).rejects.toMatchObject({ code: 'not_licensed' })
  } finally {
    await free.close()
  }
})
