import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FakeForge } from '@forgelet/fixtures'
import { expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'

type Flag = Parameters<FakeForge['host']['featureFlags']['create']>[0]
type Strategy = NonNullable<Flag['strategies']>[number]

const project = 'acme/web'
const instanceId = 'fgffct-secret'
const application = join(import.meta.dirname, 'unleash-application.mjs')
const users = Array.from({ length: 400 }, (_, index) => `user${index}`)

test('an application with unleash-client evaluates flags of every strategy', async () => {
  await using forge = await world({ port: 0 })
  const { featureFlags, featureFlagUserLists } = forge.host
  await featureFlags.rotateClientToken({ project, secret: instanceId })
  const list = await featureFlagUserLists.create({ project, name: 'Testers', userXids: 'user1,user2' })
  const inProduction = [{ environmentScope: 'production' }]
  const rollout = { groupId: 'new', percentage: '50' }
  const flexible = { groupId: 'new', rollout: '25', stickiness: 'userId' }
  const strategies: Readonly<Record<'everyone' | 'named' | 'listed' | 'half' | 'quarter', Strategy>> = {
    everyone: { name: 'default', scopes: [{ environmentScope: '*' }] },
    named: { name: 'userWithId', parameters: { userIds: 'user3,user4' }, scopes: inProduction },
    listed: { name: 'gitlabUserList', userListId: list.id, scopes: inProduction },
    half: { name: 'gradualRolloutUserId', parameters: rollout, scopes: inProduction },
    quarter: { name: 'flexibleRollout', parameters: flexible, scopes: inProduction },
  }
  for (const [name, strategy] of Object.entries(strategies))
    await featureFlags.create({ project, name, strategies: [strategy] })
  await featureFlags.create({ project, name: 'inactive', active: false, strategies: [strategies.everyone] })

  const url = `${forge.url}/api/v4/feature_flags/unleash/${(await forge.host.projects.get({ project })).id}`
  const evaluate = async (environment: string) => {
    const run = promisify(execFile)(process.execPath, [application, url, instanceId, environment, ...users], {
      // In tests, its timers keep the process alive.
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const { usersOf, problems } = JSON.parse((await run).stdout) as {
      usersOf: Readonly<Record<string, readonly string[]>>
      problems: readonly string[]
    }
    expect(problems).toEqual([])
    return usersOf
  }
  const [production, staging] = await Promise.all([evaluate('production'), evaluate('staging')])
  expect(staging).toEqual({ everyone: users, inactive: [] })
  expect(production).toMatchObject({
    everyone: users,
    named: ['user3', 'user4'],
    listed: ['user1', 'user2'],
    inactive: [],
  })
  const share = (flag: string) => (production[flag] ?? []).length / users.length
  expect(share('half')).toBeCloseTo(0.5, 0.9)
  expect(share('quarter')).toBeCloseTo(0.25, 0.9)
  const requested = forge.journal.all.map(({ method, path, status }) => `${method} ${path.split('/').at(-1)} ${status}`)
  expect(new Set(requested)).toEqual(new Set(['POST register 200', 'GET features 200', 'POST metrics 200']))
})
