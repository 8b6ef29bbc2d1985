import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { fullSeed } from '../full-seed.ts'
import { dialect } from '../world.ts'
import { folder } from './command-line.ts'
import { newData } from './data-arguments.ts'
import { json, run } from './in-process.ts'

const file = (name: string, content: object) => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const world = (change: { description: string; color: string }, ...titles: readonly string[]) => ({
  $schema: './seed.schema.json',
  users: [{ username: 'ann', name: change.description, tokens: [{ secret: 'ann-token' }] }, { username: 'ben' }],
  groups: [{ path: 'club', description: change.description, members: [{ user: 'ann', access: 'owner' }] }],
  projects: [
    {
      path: 'club/site',
      description: change.description,
      members: [{ user: 'ben', access: 'guest' }],
      labels: [{ name: 'bug', color: change.color }],
      milestones: [{ title: '1.0', description: change.description }],
      issues: titles.map((title) => ({ title, author: 'ann', notes: [{ author: 'ben', body: 'Why?' }] })),
    },
  ],
})

it(`repeats a seed on ${dialect}: --if-missing keeps what exists, --upsert updates it`, async () => {
  const { args } = await newData()
  const first = file('first.json', world({ description: 'First', color: '#111111' }, 'One'))
  const second = file('second.json', world({ description: 'Second', color: '#222222' }, 'One', 'Two'))
  expect((await run(['seed', first, ...args])).code).toBe(0)
  expect(await run(['seed', second, ...args])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing was changed'),
  })

  const read = async () => {
    const { users, groups, projects } = await json(['export', ...args])
    const [{ description, labels, milestones, issues, members }] = projects
    const titles = issues.map(({ title, notes }: { title: string; notes: object[] }) => [title, notes.length])
    const texts = [users[0].name, groups[0].description, description, milestones[0].description]
    return { texts: [...new Set(texts)], color: labels[0].color, titles, labels, members, milestones, users }
  }
  expect((await run(['seed', second, '--if-missing', ...args])).code).toBe(0)
  const titles = [
    ['One', 1],
    ['Two', 1],
  ]
  expect(await read()).toMatchObject({ texts: ['First'], color: '#111111', titles })
  for (let repetition = 1; repetition <= 2; repetition++) {
    expect(await run(['seed', second, '--upsert', ...args])).toMatchObject({ code: 0 })
    const updated = await read()
    expect(updated).toMatchObject({ texts: ['Second'], color: '#222222', titles })
    for (const list of [updated.labels, updated.members, updated.milestones]) expect(list).toHaveLength(1)
  }
  expect(await run(['seed', second, '--if-missing', '--upsert', ...args])).toMatchObject({ code: 2 })
})

it(`an imported recording changes no visibility on ${dialect}, and creates private groups and projects`, async () => {
  const { args } = await newData()
  const before = { groups: [{ path: 'club', visibility: 'private' }], projects: [{ path: 'club/site' }] }
  expect((await run(['seed', file('before.json', before), ...args])).code).toBe(0)
  const paths = ['club/site', 'club/other', 'team/app']
  const body = paths.map((path, index) => ({ id: index + 1, path_with_namespace: path, owner: { username: 'ann' } }))
  const url = 'https://gitlab.example.com/api/v4/projects'
  const recording = file('recording.json', [{ method: 'GET', url, status: 200, body }])
  const output = join(folder, 'imported.yaml')
  expect((await run(['import', recording, '--output', output])).code).toBe(0)
  expect(await run(['seed', output, '--upsert', ...args])).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('warning'),
  })
  const { users, groups, projects } = await json(['export', ...args])
  expect(users[0]).toEqual(expect.not.objectContaining({ tokens: expect.anything() }))
  const levels = [...groups, ...projects].map(({ path, visibility }) => [path, visibility])
  expect(levels).toEqual(['club', 'team', ...paths].map((path) => [path, 'private']))
  expect(await json(['token', 'list', '--user', 'ann', ...args])).toEqual([])
})

it(`warns about tokens that can be guessed on ${dialect}, also of groups and projects`, async () => {
  const { args } = await newData()
  const long = 'forgelet-a-long-and-secret-token'
  const seed = {
    users: [
      { username: 'ann', tokens: [{ secret: 'ann-token' }] },
      { username: 'a-longer-username', tokens: [{ secret: 'a-longer-username-token' }] },
      { username: 'ben', tokens: [{ secret: long }, { secret: 'short', revoked: true }] },
    ],
    groups: [{ path: 'club', deployTokens: [{ name: 'd', secret: 'short-deploy' }] }],
    projects: [{ path: 'club/site', accessTokens: [{ name: 'a', secret: `${long}-2` }] }],
  }
  const { stderr } = await run(['seed', file('guessable.json', seed), ...args])
  expect(stderr).toMatch(/warning: .* tokens that can be guessed, of ann, a-longer-username, club: revoke them/)
})

it('adds several files together, or none of them', async () => {
  const { args } = await newData()
  const users = file('users.json', { users: [{ username: 'cem' }] })
  const project = file('project.json', { projects: [{ path: 'cem/app' }] })
  const broken = file('broken.json', { projects: [{ path: 'nobody/app' }] })
  expect((await run(['seed', users, broken, ...args])).code).toBe(1)
  expect(await json(['user', 'list', ...args])).toEqual([])
  expect(await json(['seed', users, project, ...args])).toMatchObject({
    users: { cem: { username: 'cem' } },
    projects: { 'cem/app': { path: 'cem/app' } },
  })
})

it('--check adds the files to an empty forge in memory and opens no data', async () => {
  const users = file('users.json', { users: [{ username: 'cem' }] })
  const project = file('project.json', { projects: [{ path: 'cem/app' }] })
  const data = ['--data', join(folder, 'unused.db')]
  expect(await run(['seed', users, project, '--check', ...data])).toEqual({
    code: 0,
    stdout: '',
    stderr: `${users}, ${project}: valid\n`,
  })
  expect(await run(['seed', project, '--check', ...data])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('seed.projects[0] (cem/app): Namespace was not found'),
  })
  expect(existsSync(join(folder, 'unused.db'))).toBe(false)
})

let exported: { readonly path: string; readonly stderr: string; readonly args: readonly string[] }
beforeAll(async () => {
  const { args } = await newData()
  const seeded = await run(['seed', file('full.json', fullSeed), ...args])
  expect(seeded).toMatchObject({ code: 0 })
  const path = join(folder, 'world.yaml')
  const { code, stderr } = await run(['export', path, ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) })
  exported = { path, stderr, args }
}, 60_000)

it('an export with its repositories creates an equal world', async () => {
  const copy = await newData()
  expect((await run(['seed', exported.path, ...copy.args])).code).toBe(0)
  const again = join(folder, 'again.yaml')
  expect((await run(['export', again, ...copy.args])).code).toBe(0)
  const text = readFileSync(again, 'utf8')
  expect(text.replaceAll('again.yaml', 'world.yaml')).toBe(readFileSync(exported.path, 'utf8'))
  const [original, seeded] = [exported.path, again].map((path) =>
    execFileSync('git', ['--git-dir', `${path}.repositories/acme/web.git`, 'for-each-ref'], { encoding: 'utf8' }),
  )
  expect(original).toContain('refs/tags/v0.1.0')
  expect(seeded).toBe(original)
  for (const data of [exported.args, copy.args]) {
    expect(await json(['project', 'show', 'acme/web', ...data])).toMatchObject({ emptyRepo: false, openIssuesCount: 2 })
  }
})

it('an export names what it does not contain and no secrets', () => {
  expect(exported.stderr).toContain('not exported: personal and other access tokens, of which only hashes are stored\n')
  const text = readFileSync(exported.path, 'utf8')
  for (const secret of ['hushsecret', 'alice-token', 'acme-scim']) expect(text).not.toContain(secret)
})

it('an export replaces a file only with --force', async () => {
  const again = ['export', exported.path, ...exported.args]
  expect(await run(again)).toMatchObject({
    code: 1,
    stderr: `forgelet: ${exported.path} exists already: use --force to replace it\n`,
  })
  expect((await run([...again, '--force'])).code).toBe(0)
  expect(await run(['export', join(folder, 'no/where.yaml'), ...exported.args])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no folder'),
  })
})

const recording = join(import.meta.dirname, '../recording/star-tracker.har')

it('imports a recording, and the result is a valid seed', async () => {
  const output = join(folder, 'star-tracker.yaml')
  const { code, stdout, stderr } = await run(['import', recording, '--output', output])
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr.split('\n')[0]).toBe(`Imported ${recording} to ${output}`)
  expect(stderr).toContain('not imported: GET /projects/88/pipelines: seed data has no such content\n')
  expect(await run(['seed', output, '--check'])).toMatchObject({ code: 0, stderr: expect.stringContaining('valid') })
  expect(await run(['import', recording, '--output', output])).toMatchObject({
    code: 1,
    stderr: `forgelet: ${output} exists already: use --force to replace it\n`,
  })
  expect((await run(['import', recording, '--output', output, '--force'])).code).toBe(0)
  expect(await json(['import', recording])).toMatchObject({ projects: [{ path: 'observatory/star-tracker' }] })
})

it('imports a cassette in YAML', async () => {
  const path = join(folder, 'cassette.yaml')
  writeFileSync(
    path,
    `interactions:
  - request: { method: GET, uri: https://gitlab.example.com/api/v4/users }
    response: { status: { code: 200, message: OK }, body: { string: '[{"username": "ann"}]' } }
version: 1
`,
  )
  expect(await json(['import', path])).toMatchObject({ users: [{ username: 'ann' }] })
})

it.each([
  ['no JSON', 'broken.har', '{', 'cannot be imported: The recording is not valid JSON'],
  ['no recording', 'other.json', '{"a": 1}', 'cannot be imported: The recording has no requests'],
  ['invalid YAML', 'broken.yaml', 'a: [', 'is not valid YAML'],
])('rejects a file that is %s', async (_, name, text, message) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  expect(await run(['import', path])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
})
