import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

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

const listNames = async (user: string, packageManager?: readonly ('bundler' | 'yarn' | 'npm')[]) =>
  (
    await forge.as(user).dependencies.list({ project, ...(packageManager && { packageManager: [...packageManager] }) })
  ).items.map(({ name }) => name)

test('a report replaces the previous report', async () => {
  const { dependencies } = forge.as('bob')
  expect(await listNames('bob')).toEqual([])
  expect(await dependencies.report({ project, dependencies: [rails, hanami] })).toEqual({ total: 2 })
  expect(await listNames('bob')).toEqual(['hanami', 'rails'])
  await dependencies.report({ project, dependencies: [rails, lodash] })
  expect(await listNames('bob')).toEqual(['lodash', 'rails'])
  expect(await listNames('bob', ['yarn', 'npm'])).toEqual(['lodash'])
  await dependencies.report({ project, dependencies: [] })
  expect(await listNames('bob')).toEqual([])
})

test('only developers and above can read vulnerabilities', async () => {
  await forge.as('bob').dependencies.report({ project, dependencies: [rails, hanami] })
  const list = async (user: string) => (await forge.as(user).dependencies.list({ project })).items
  expect(await list('bob')).toEqual([hanami, rails].map((dependency) => ({ ...dependency, licenses: [] })))
  expect((await list('root')).map(({ vulnerabilities }) => vulnerabilities)).toEqual([[], rails.vulnerabilities])
  for (const user of ['carol', 'mallory']) {
    for (const dependency of await list(user)) expect(dependency).not.toHaveProperty('vulnerabilities')
  }
})

test('stores a report of more than 3,000 dependencies', async () => {
  const many = Array.from({ length: 3_001 }, (_, index) => ({
    ...lodash,
    name: `package-${String(index).padStart(5, '0')}`,
  }))
  await forge.as('bob').dependencies.report({ project, dependencies: many })
  expect(await forge.as('bob').dependencies.list({ project, perPage: 1, page: 3_001 })).toMatchObject({
    total: 3_001,
    items: [{ name: 'package-03000' }],
  })
})

test('rejects reports of non-developers, and lists on the free tier', async () => {
  const report = forge.as('carol').dependencies.report({ project, dependencies: [] })
  await expect(report).rejects.toMatchObject({ code: 'forbidden' })
  const free = await world({ tier: 'free' })
  try {
    await expect(free.host.dependencies.list({ project })).rejects.toMatchObject({ code: 'not_licensed' })
  } finally {
    await free.close()
  }
})
