import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
  await forge.host.dependencies.report({
    project: 'acme/web',
    dependencies: [
      {
        name: 'rails',
        version: '5.0.1',
        packageManager: 'bundler',
        dependencyFilePath: 'Gemfile.lock',
        licenses: ['MIT', 'Custom'],
        vulnerabilities: [{ name: 'DDoS', severity: 'critical' }],
      },
      { name: 'lodash', version: '4.0.0', packageManager: 'yarn', dependencyFilePath: 'yarn.lock' },
      { name: 'flask', version: '2.0.0', packageManager: 'pip', dependencyFilePath: 'requirements.txt' },
    ],
  })
})
afterEach(() => forge.close())

const list = '/projects/acme%2Fweb/dependencies'

test('dependencies have the documented fields, in order of name', async () => {
  const { status, body, headers } = await send(`GET ${list}?per_page=2&page=2`, { as: 'bob' })
  expect(status).toBe(200)
  expect(body).toEqual([
    {
      name: 'rails',
      version: '5.0.1',
      package_manager: 'bundler',
      dependency_file_path: 'Gemfile.lock',
      licenses: [
        { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
        { name: 'Custom', url: null },
      ],
      vulnerabilities: [{ name: 'DDoS', severity: 'critical' }],
    },
  ])
  expect(headers.get('x-total')).toBe('3')
})

test('those who may not see the security of the project get no key for it', async () => {
  const { body } = await send(`GET ${list}`, { as: 'carol' })
  expect(body).toHaveLength(3)
  for (const one of body) expect(Object.keys(one)).not.toContain('vulnerabilities')
})

test.each([
  ['package_manager=yarn,pip', ['flask', 'lodash']],
  ['package_manager[]=yarn&package_manager[]=bundler', ['lodash', 'rails']],
  ['package_manager=npm', []],
])('%s chooses among them', async (given, names) => {
  const { body } = await send(`GET ${list}?${given}`, { as: 'bob' })
  expect(body.map(({ name }: { name: string }) => name)).toEqual(names)
})

test('an unknown package manager is refused', async () => {
  expect(await send(`GET ${list}?package_manager=yarn,apt`, { as: 'bob' })).toMatchObject({
    status: 400,
    body: { error: 'package_manager does not have a valid value' },
  })
})

test('lock files have the documented fields', async () => {
  const author = { name: 'Bob', email: 'bob@example.com' }
  const files = [{ path: 'web/composer.lock', content: '{' }]
  await forge.host.commits.import({
    project: 'acme/web',
    commits: [{ branch: 'main', message: 'Lock', author, files }],
  })
  await forge.platform.jobs.drain()
  const { status, body } = await send(`GET ${list}/files`, { as: 'bob' })
  expect(status).toBe(200)
  expect(body).toEqual([
    {
      path: 'web/composer.lock',
      package_manager: 'composer',
      problem: 'is not valid JSON',
      scanned_at: expect.any(String),
    },
  ])
})

everyRouteCalled('dependencies')
