import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { call, folder, serving } from './command-line.ts'
import { run } from './in-process.ts'

const world = {
  users: [{ username: 'ann', name: 'Ann', tokens: [{ secret: 'ann-token' }] }],
  groups: [{ path: 'club', members: [{ user: 'ann', access: 'owner' }] }],
  projects: [{ path: 'club/site', labels: [{ name: 'bug', color: 'red' }] }],
}

const yaml = `
users: [{ username: ben, tokens: [{ secret: ben-token }] }]
projects: [{ path: ben/notes, visibility: private }]
`

const file = (name: string, content: string) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const live = join(folder, 'live.db')

it('seeds, creates users and creates tokens while a server runs', async () => {
  const json = file('world.json', JSON.stringify(world))
  const { url, stop } = await serving(['--data', live, '--log-level', 'silent'])

  const seeded = await run(['seed', json, '--data', live, '--json'])
  expect(seeded.code).toBe(0)
  const created = JSON.parse(seeded.stdout) as { projects: { 'club/site': { id: number } } }
  expect(created).toMatchObject({
    users: { ann: { id: expect.any(Number), username: 'ann' } },
    groups: { club: { path: 'club' } },
    projects: { 'club/site': { path: 'club/site' } },
  })
  const listed = await call(url, `/projects/${created.projects['club/site'].id}/labels`, 'ann-token')
  expect(listed.body).toMatchObject([{ name: 'bug', color: '#FF0000' }])

  const human = await run(['seed', file('more.yaml', yaml), '--data', live])
  expect(human.code).toBe(0)
  expect(human.stdout).toMatch(
    /^ {2}users +id +username\n {2}ben +\d+ +ben\n\n {2}projects +id +path\n {2}ben\/notes +\d+ +ben\/notes\n$/,
  )
  expect(human.stderr).toContain(`Seeded ${live}\n`)
  expect(human.stderr).toContain('tokens that can be guessed, of ben')

  const added = await run(['user', 'create', '--username', 'zoe', '--name', 'Zoë Quist', '--admin', '--json'], {
    FORGELET_DATA: live,
  })
  expect(JSON.parse(added.stdout)).toMatchObject({ username: 'zoe', name: 'Zoë Quist', admin: true, external: false })

  const token = await run(['token', 'create', '--user', 'zoe', '--data', live])
  expect(token.stdout).toMatch(/^fgpat-[\w-]+\n$/)
  expect((await call(url, '/projects/ben%2Fnotes/labels', token.stdout.trim())).status).toBe(200)

  const narrow = await run(
    [
      'token',
      'create',
      '--user',
      'zoe',
      '--name',
      'ci',
      '--scopes',
      'read_api',
      '--expires-at',
      '2999-01-01',
      '--json',
    ],
    { FORGELET_DATA: live },
  )
  const { secret, ...details } = JSON.parse(narrow.stdout) as { secret: string }
  expect(details).toMatchObject({ name: 'ci', scopes: ['read_api'], expiresAt: '2999-01-01', revoked: false })
  expect((await call(url, '/projects/ben%2Fnotes/labels', secret)).status).toBe(200)
  expect((await call(url, '/projects/ben%2Fnotes/labels', secret, { name: 'x', color: 'red' })).status).toBe(403)
  await stop()
})

it('rejects invalid seed data before it creates a database', async () => {
  const invalid = { users: [{ username: 'ann', colour: 1 }], projects: [{}] }
  const cases = [
    [
      file('broken.json', '{\n  "users": [,]\n}'),
      /^forgelet: broken\.json is not valid JSON:\n {2}line 2: Unexpected token ','\n$/,
    ],
    [
      file('broken.yaml', 'users:\n  - {\n'),
      /^forgelet: broken\.yaml is not valid YAML:\n {2}line \d, column \d: .+\n$/,
    ],
    [
      file('invalid.json', JSON.stringify(invalid)),
      /^forgelet: invalid\.json is not valid seed data:\n {2}seed\.users\[0\]\.colour: is not known here\n {2}seed\.projects\[0\]\.path: is missing\n$/,
    ],
    [join(folder, 'nowhere.yaml'), /^forgelet: There is no file nowhere\.yaml\n$/],
  ] as const
  for (const [name, message] of cases) {
    for (const args of [
      ['seed', name],
      ['serve', '--port', '0', '--seed', name],
    ]) {
      const { code, stdout, stderr } = await run([...args, '--data', join(folder, 'broken.db')])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr.replaceAll(`${folder}/`, '')).toMatch(message)
    }
  }
  expect(existsSync(join(folder, 'broken.db'))).toBe(false)
})

it('adds all seed data or nothing', async () => {
  const half = file('half.json', JSON.stringify({ users: [{ username: 'ann' }, { username: 'ANN' }] }))
  const { code, stderr } = await run(['seed', half, '--data', join(folder, 'half.db')])
  expect(code).toBe(1)
  expect(stderr.replace(`${folder}/`, '')).toMatch(
    /^forgelet: half\.json cannot be seeded, nothing was changed: seed\.users\[1\] \(ANN\): Username .+\n$/,
  )
  expect((await run(['user', 'create', '--username', 'ann', '--data', join(folder, 'half.db')])).code).toBe(0)
})

it.each([
  [['user', 'create', '--username', 'a b'], 2, /^forgelet: --username can contain only letters/],
  [['user', 'create', '--username', 'ann', '--email', 'nobody'], 2, /^forgelet: --email is invalid\n/],
  [['token', 'create', '--user', 'ghost'], 1, /^forgelet: User was not found\n$/],
  [['token', 'create', '--user', 'ghost', '--expires-at', '2030-02-30'], 2, /It must be a date such as 2030-12-31\.\n/],
  [['token', 'create', '--user', 'ghost', '--scopes', 'all'], 2, /'all' is not one of api, read_api, /],
])('rejects %j', async (args, expected, message) => {
  const { code, stdout, stderr } = await run(args, { FORGELET_DATA: ':memory:' })
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
  expect(stderr).toMatch(message)
})
