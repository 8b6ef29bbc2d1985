import { createPlatform } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import { expect, test } from 'vitest'
import { emptyStore } from '../../../../../../test/world.ts'

test('values are encrypted in the database, and removed with their owner', async () => {
  const store = await emptyStore()
  const platform = createPlatform(store, { secretKey: new Uint8Array(32).fill(7) })
  await seed(platform, demo)
  const host = platform.as({ system: 'test' })
  const variable = { key: 'TOKEN', value: 'hushsecret' }
  await host.ciVariables.create({ project: 'acme/web', ...variable })
  await host.ciVariables.create({ group: 'acme/tools', ...variable })
  await host.ciVariables.create(variable)
  const readRows = () => store.read(({ db }) => db.selectFrom('ciVariable').orderBy('id').selectAll().execute())
  expect(JSON.stringify(await readRows())).not.toContain('hushsecret')
  expect((await host.ciVariables.list({ group: 'acme/tools' })).items).toMatchObject([variable])
  await host.projects.remove({ project: 'acme/web' })
  await host.groups.remove({ group: 'acme/tools' })
  await platform.jobs.drain()
  expect(await readRows()).toMatchObject([{ scope: 'i' }])
  await platform.close()
})

test('the instance has at most 25 variables, without environment scopes', async () => {
  const platform = createPlatform(await emptyStore(), { secretKey: new Uint8Array(32).fill(7) })
  const { ciVariables } = platform.as({ system: 'test' })
  for (let count = 0; count < 25; count++) await ciVariables.create({ key: `V${count}`, value: 'x' })
  await expect(ciVariables.create({ key: 'ONE_MORE', value: 'x' })).rejects.toMatchObject({ code: 'invalid' })
  const scoped = [
    ciVariables.create({ key: 'V0', value: 'x', environmentScope: 'production' }),
    ciVariables.update({ key: 'V0', environmentScope: 'production' }),
  ]
  for (const call of scoped) await expect(call).rejects.toMatchObject({ code: 'invalid_input' })
  await platform.close()
})
