import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
  const grant = { accessLevel: 40 as const }
  await forge.host.protectedEnvironments.create({ project, name: 'production', deployAccessLevels: [grant] })
})
afterEach(() => forge.close())

const project = 'acme/web'
const denied = { code: 'forbidden', reason: 'protected' }

test('a protected environment and its deployments are changed only by those who may deploy to it', async () => {
  const { id: environment } = await forge.host.environments.create({ project, name: 'production' })
  const { id: other } = await forge.host.environments.create({ project, name: 'review/x' })
  const fields = { environment: 'production', ref: 'main', sha: 'a'.repeat(40) }
  const { id: deployment } = await forge.as('alice').deployments.create({ project, ...fields })
  const bob = forge.as('bob')
  for (const call of [
    () => bob.environments.stop({ project, environment }),
    () => bob.environments.stop({ project, environment, force: true }),
    () => bob.environments.update({ project, environment, externalUrl: 'https://example.com' }),
    () => bob.environments.update({ project, environment: other, name: 'production' }),
    () => bob.environments.remove({ project, environment }),
    () => bob.deployments.create({ project, ...fields }),
    () => bob.deployments.update({ project, deployment, status: 'failed' }),
  ])
    await expect(call()).rejects.toMatchObject(denied)
  expect(await bob.environments.stop({ project, environment: other })).toMatchObject({ state: 'stopped' })
  const alice = forge.as('alice')
  expect(await alice.deployments.update({ project, deployment, status: 'failed' })).toMatchObject({ status: 'failed' })
  expect(await alice.environments.stop({ project, environment })).toMatchObject({ state: 'stopped' })
  await alice.environments.remove({ project, environment })
})

test('maintainers who may not deploy remove no deployments', async () => {
  await forge.host.protectedEnvironments.remove({ project, name: 'production' })
  const { id: userId } = await forge.as('bob').users.get()
  const deployAccessLevels = [{ userId }]
  await forge.host.protectedEnvironments.create({ project, name: 'production', deployAccessLevels })
  const fields = { environment: 'production', ref: 'main', sha: 'a'.repeat(40) }
  const { id: deployment } = await forge.as('bob').deployments.create({ project, ...fields })
  await expect(forge.as('alice').deployments.remove({ project, deployment })).rejects.toMatchObject(denied)
})
