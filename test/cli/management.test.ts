import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { dialect } from '../world.ts'
import { folder } from './command-line.ts'
import { newData } from './data-arguments.ts'
import { json, run } from './in-process.ts'

let data: readonly string[]
beforeAll(async () => {
  data = (await newData()).args
  expect((await run(['seed', 'demo', ...data])).code).toBe(0)
})

const forgelet = (...args: string[]) => run([...args, ...data])
const forgeletJson = (...args: string[]) => json([...args, ...data])

describe(`user on ${dialect}`, () => {
  it('lists, creates, blocks and unblocks users', async () => {
    const created = await forgelet('user', 'create', '--username', 'zoe', '--name', 'Zoë Quist')
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d+ +zoe +Zoë Quist +zoe@users\.invalid/) })
    expect(await forgeletJson('user', 'list', '--username', 'zoe')).toMatchObject([
      { username: 'zoe', state: 'active' },
    ])
    expect(await forgeletJson('user', 'block', 'zoe')).toMatchObject({ username: 'zoe', state: 'blocked' })
    expect(await forgeletJson('user', 'unblock', 'zoe')).toMatchObject({ username: 'zoe', state: 'active' })
    expect((await forgelet('user', 'list')).stdout).toMatch(
      /^ {2}id +username +name +email +state +admin\n {2}\d+ +zoe [\s\S]*\n {2}\d+ +root /,
    )
  })

  it('updates, promotes and removes users', async () => {
    expect((await forgelet('user', 'create', 'wes')).code).toBe(0)
    const change = ['--username', 'west', '--name', 'Wes T', '--email', 'wes@example.com']
    expect(await forgeletJson('user', 'update', 'wes', ...change)).toMatchObject({
      username: 'west',
      name: 'Wes T',
      email: 'wes@example.com',
    })
    expect(await forgeletJson('user', 'promote', 'west')).toMatchObject({ admin: true })
    expect(await forgeletJson('user', 'promote', 'west', '--undo')).toMatchObject({ admin: false })
    expect(await forgelet('user', 'update', 'west', '--username', 'a b')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^forgelet: --username can contain only/),
    })
    expect(await forgelet('user', 'remove', 'west')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--force'),
    })
    expect((await forgelet('user', 'remove', 'west', '--force')).stderr).toContain('Removed west from')
    expect(await forgeletJson('user', 'list', '--username', 'west')).toEqual([])
  })

  it('has its name as an argument, too', async () => {
    expect(await forgeletJson('user', 'create', 'xia')).toMatchObject({ username: 'xia' })
    const twice = await forgelet('user', 'create', 'xia', '--username', 'xia')
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('Use either the argument xia or --user') })
    const invalid = await forgelet('user', 'create', '--username', 'a b')
    expect(invalid).toMatchObject({ code: 2, stderr: expect.stringMatching(/^forgelet: --username can contain only/) })
    expect(invalid.stderr).not.toContain('--email')
  })

  it('sets the password of the standard input, and removes it', async () => {
    const set = await run(['user', 'password', 'zoe', ...data], {}, 'correct horse\n')
    expect(set).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Set the password of zoe') })
    const short = await run(['user', 'password', 'zoe', ...data], {}, 'sh0rt')
    expect(short.code).toBe(2)
    expect(short.stderr).toMatch(/^forgelet: The password on the standard input must have 8 to 128 characters\n/)
    const empty = await run(['user', 'password', 'zoe', ...data], {}, '')
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('contains no password') })
    expect((await forgelet('user', 'password', 'zoe', '--remove')).stderr).toContain('Removed the password of zoe')
  })

  it('keeps the options of the data in a suggested command, without a password', async () => {
    const { stderr } = await forgelet('user', 'create', '--username', 'yan')
    const [option, value = ''] = data
    const shown = option === '--data' ? value : value.replace(/:\/\/([^:]+):[^@]+@/, '://$1:***@')
    expect(stderr).toContain('Next: forgelet token create --user yan')
    expect(stderr.replaceAll("'", '')).toContain(`--user yan ${option} ${shown}`)
  })
})

describe('token', () => {
  it('lists, rotates and revokes tokens', async () => {
    const created = await forgeletJson('token', 'create', '--user', 'bob', '--name', 'ci', '--expires-at', '2999-01-01')
    const { id, secret } = created as { id: number; secret: string }
    expect(await forgeletJson('token', 'list', '--user', 'bob')).toContainEqual(
      expect.objectContaining({ id, name: 'ci', revoked: false }),
    )
    const rotated = await forgelet('token', 'rotate', String(id))
    expect(rotated.stdout).toMatch(/^fgpat-[\w-]+\n$/)
    expect(rotated.stdout.trim()).not.toBe(secret)
    expect(rotated.stderr).toMatch(new RegExp(`^Token 'ci' replaces the token ${id}, until 2999-01-01, `))
    const tokens = (await forgeletJson('token', 'list', '--user', 'bob')) as { id: number; revoked: boolean }[]
    expect(tokens.filter(({ revoked }) => revoked).map((token) => token.id)).toEqual([id])
    const newest = String(tokens.at(-1)?.id)
    expect(await forgeletJson('token', 'revoke', newest)).toMatchObject({ revoked: true })
    expect(await forgelet('token', 'rotate', newest)).toMatchObject({
      code: 1,
      stderr: 'forgelet: Token is revoked: create a new one\n',
    })
  })

  it.each([
    [
      ['token', 'create', '--user', 'bob', '--expires-at', '2020-01-01'],
      /'2020-01-01' is invalid\. It must be a day after/,
    ],
    [
      ['token', 'create', '--user', 'bob', '--expires-at', 'tomorrow'],
      /'tomorrow' is invalid\. It must be a date such as 2030-12-31\./,
    ],
    [['token', 'create', '--user', 'bob', '--scopes', 'api,foo'], /'foo' is not one of api, read_api, read_user, /],
    [
      ['token', 'rotate', 'ci'],
      /^forgelet: 'ci' is not the id of a token; forgelet token list --user <name> lists them\n/,
    ],
    [['token', 'list'], /^forgelet: --user is missing\n/],
  ])('rejects %j', async (args, message) => {
    const { code, stdout, stderr } = await forgelet(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})

describe('group, project and member', () => {
  it('create, show and list groups and projects', async () => {
    const group = await forgelet('group', 'create', 'lab', '--visibility', 'public')
    expect(group.stderr).toContain('Next: forgelet member add lab <username> --access owner')
    expect(await forgeletJson('group', 'create', 'lab/tools')).toMatchObject({ fullPath: 'lab/tools', name: 'tools' })
    expect(await forgeletJson('group', 'list', '--search', 'lab')).toMatchObject([{ fullPath: 'lab' }])
    const project = ['project', 'create', 'lab/tools/drill', '--name', 'Drill', '--description', 'Makes holes']
    expect(await forgeletJson(...project)).toMatchObject({ fullPath: 'lab/tools/drill', name: 'Drill' })
    const { stderr } = await forgelet('project', 'create', 'lab/hammer')
    expect(stderr).toContain('forgelet repository import lab/hammer <folder>')
    expect(stderr).toContain('git push <url of the server>/lab/hammer.git <branch>')
    expect((await forgelet('project', 'remove', 'lab/hammer', '--force')).code).toBe(0)
    expect(await forgeletJson('project', 'list', '--group', 'lab')).toMatchObject([{ fullPath: 'lab/tools/drill' }])
    expect(await forgeletJson('project', 'archive', 'lab/tools/drill')).toMatchObject({ archived: true })
    expect(await forgeletJson('project', 'unarchive', 'lab/tools/drill')).toMatchObject({ archived: false })
    expect(await forgeletJson('project', 'show', 'lab/tools/drill')).toMatchObject({ description: 'Makes holes' })
    expect((await forgelet('group', 'show', 'lab')).stdout).toMatch(/\n {2}\d+ +lab +lab +public\n$/)
  })

  it('add, update, list and remove members', async () => {
    const owner = await forgeletJson('member', 'add', 'lab', 'alice', '--access', 'owner')
    expect(owner).toMatchObject({ username: 'alice', access: 'owner', accessLevel: 50 })
    const added = ['member', 'add', 'lab/tools/drill', 'bob', '--access', 'guest', '--expires-at', '2999-01-01']
    expect(await forgeletJson(...added)).toMatchObject({ access: 'guest', expiresAt: '2999-01-01' })
    const updated = await forgeletJson('member', 'update', 'lab/tools/drill', 'bob', '--access', 'developer')
    expect(updated).toMatchObject({ access: 'developer', expiresAt: '2999-01-01' })
    expect(await forgeletJson('member', 'list', 'lab/tools/drill')).toMatchObject([{ username: 'bob' }])
    const all = (await forgeletJson('member', 'list', 'lab/tools/drill', '--all')) as { username: string }[]
    expect(all.map(({ username }) => username).sort()).toEqual(['alice', 'bob'])
    expect(await forgelet('member', 'remove', 'lab/tools/drill', 'bob')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Removed bob from lab/tools/drill.\n',
    })
    expect(await forgelet('member', 'list', 'lab/tools/drill')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No members.\n',
    })
  })

  it('remove groups and projects only with --force', async () => {
    expect(await forgelet('project', 'remove', 'lab/tools/drill')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^forgelet: --force is missing\n/),
    })
    expect((await forgelet('project', 'remove', 'lab/tools/drill', '--force')).code).toBe(0)
    expect((await forgelet('group', 'remove', 'lab', '--force')).code).toBe(0)
    expect(await forgelet('group', 'show', 'lab/tools')).toMatchObject({
      code: 1,
      stderr: 'forgelet: Group was not found\n',
    })
  })

  it.each([
    [['member', 'list', 'nowhere'], 1, 'forgelet: Project was not found\n'],
    [['member', 'add', 'acme', 'bob'], 2, 'forgelet: --access is missing\n'],
    [['project', 'create', 'web'], 2, 'forgelet: A project belongs to a group or user: use <namespace>/web'],
    [
      ['project', 'create', 'nowhere/web'],
      1,
      'forgelet: There is no group or user nowhere. To create one: forgelet group create nowhere --data',
    ],
    [['project', 'create', 'acme/nowhere/web'], 1, 'forgelet: There is no group acme/nowhere. To create'],
    [['group', 'create', 'nowhere/web'], 1, 'forgelet: There is no group nowhere. To create'],
    [['group', 'create', 'acme', '--visibility', 'secret'], 2, "forgelet: option '--visibility <level>'"],
  ])('reject %j', async (args, code, message) => {
    const result = await forgelet(...args)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr.startsWith(message), result.stderr).toBe(true)
  })
})

it('prints at most --limit items and says that there are more', async () => {
  const few = await forgelet('project', 'list', '--limit', '2')
  expect(few.stdout.trim().split('\n')).toHaveLength(3)
  expect(few.stderr).toBe('There are more projects: use --limit with more than 2.\n')
  const names = Array.from({ length: 101 }, (_, index) => `user-${index}`)
  const seed = JSON.stringify({ users: names.map((username) => ({ username })) })
  writeFileSync(join(folder, 'many.json'), seed)
  expect((await forgelet('seed', join(folder, 'many.json'))).code).toBe(0)
  expect(await forgeletJson('user', 'list')).toHaveLength(100)
  const all = (await forgeletJson('user', 'list', '--limit', '1000')) as { username: string }[]
  expect(all.map(({ username }) => username)).toEqual(expect.arrayContaining(names))
})

describe('settings', () => {
  it('are listed with their effects, read and changed', async () => {
    const found = (await forgeletJson('settings', 'list', '--search', 'signup_enabled')) as object[]
    expect(found).toContainEqual({ name: 'signup_enabled', value: false, effect: expect.stringContaining('sign_up') })
    expect(await forgeletJson('settings', 'set', 'signup_enabled', 'true')).toMatchObject({ value: true })
    expect(await forgeletJson('settings', 'get', 'signup_enabled')).toMatchObject({ value: true })
    expect(await forgeletJson('settings', 'set', 'sign_in_text', 'Welcome')).toMatchObject({ value: 'Welcome' })
    expect(await forgeletJson('settings', 'set', 'spamfilter_api_key', 'secret')).toMatchObject({
      value: 'never shown',
    })
  })

  it('explain names and values that are wrong', async () => {
    expect(await forgelet('settings', 'get', 'nonsense')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no setting 'nonsense'"),
    })
    expect((await forgelet('settings', 'set', 'signup_enabled', 'maybe')).code).not.toBe(0)
  })
})

describe('group and project update', () => {
  it('change the given fields only', async () => {
    await forgelet('group', 'create', 'labs', '--description', 'Old')
    await forgelet('project', 'create', 'labs/web')
    expect(
      await forgeletJson('group', 'update', 'labs', '--name', 'Laboratory', '--visibility', 'public'),
    ).toMatchObject({
      name: 'Laboratory',
      description: 'Old',
      visibility: 'public',
    })
    const change = ['--path', 'site', '--visibility', 'internal', '--default-branch', 'trunk']
    expect(await forgeletJson('project', 'update', 'labs/web', ...change)).toMatchObject({
      fullPath: 'labs/site',
      visibility: 'internal',
      defaultBranch: 'trunk',
    })
  })
})
