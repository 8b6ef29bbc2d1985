import { hash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createPlatform, type Platform, type Session, sqlite } from '@forgelet/core'
import { seed } from '@forgelet/core/seed'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createGitClient, type GitClient } from '../support/git-client.ts'
import { openDemoWithCode } from '../support/open-demo.ts'
import { createSshClient, type SshClient } from '../support/ssh-client.ts'
import { folder } from './command-line.ts'
import { run } from './in-process.ts'
import { type OpenSshServer, startOpenSsh } from './openssh-server.ts'

/** Git over SSH with the sshd of this machine, which starts `forgelet ssh`, while this process has the data open, too. */

const project = 'acme/web'
const file = join(folder, "it's a forge.db")
let platform: Platform
let host: Session
let server: OpenSshServer
let keys: SshClient
let client: GitClient

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  platform = createPlatform(sqlite(file))
  await seed(platform, openDemoWithCode)
  host = platform.as({ system: 'test' })
  keys = createSshClient({
    bob: ['ed25519'],
    carol: ['ecdsa', '-b', '256'],
    reader: ['rsa', '-b', '2048'],
    writer: ['ed25519'],
    unknown: ['ed25519'],
  })
  for (const user of ['bob', 'carol']) await host.keys.create({ user, title: user, key: keys.publicKey(user) })
  const deployKeys = platform.as({ user: 'alice' }).deployKeys
  for (const title of ['reader', 'writer'])
    await deployKeys.create({ project, title, key: keys.publicKey(title), canPush: title === 'writer' })
  server = await startOpenSsh(folder, ['--data', `"${file}"`, '--base-url', 'https://forge.example'])
  keys.connectTo(server)
})
afterAll(async () => {
  await server.close()
  await platform.close()
  keys.remove()
})
beforeEach(() => {
  client = createGitClient()
})
afterEach(() => client.remove())

const git = (key: string, place: string, ...args: readonly string[]) => keys.git(key, client, place, ...args)
const clone = (key: string, path = project) =>
  git(key, '.', 'clone', '--quiet', `ssh://${server.account}@127.0.0.1:${server.port}/${path}.git`, 'copy')
const ssh = (key: string, ...words: readonly string[]) =>
  keys.ssh(
    key,
    '-T',
    ...words.filter((word) => word.startsWith('-')),
    `${server.account}@127.0.0.1`,
    ...words.filter((word) => !word.startsWith('-')),
  )

const denied = { code: 128, messages: expect.stringContaining('Permission denied (publickey)') }

describe('a user', () => {
  test('clones with version 2 of the protocol, and pushes', async () => {
    expect(await clone('bob')).toMatchObject({ code: 0, messages: '' })
    await client.git('copy', 'fsck', '--strict')
    const id = await client.commit('copy', 'second', { 'b.txt': 'b\n' })
    expect(await git('bob', 'copy', 'push', '--quiet', 'origin', 'HEAD:refs/heads/topic')).toMatchObject({ code: 0 })
    expect(await host.branches.get({ project, branch: 'topic' })).toMatchObject({ commit: { id } })
    const { items } = await host.events.list({ project })
    expect(items.find(({ pushData }) => pushData?.ref === 'topic')).toMatchObject({ author: { username: 'bob' } })
    expect((await host.keys.list({ user: 'bob' })).items).toMatchObject([{ lastUsedAt: expect.any(String) }])
  })

  test('is greeted, and gets no shell, terminal, forwarding or file transfer', async () => {
    expect(await ssh('bob')).toMatchObject({ code: 0, output: 'Welcome to Forgelet, @bob!\n' })
    expect((await ssh('bob', '-tt')).messages).toContain('PTY allocation request failed')
    const forwarding = await ssh('bob', '-oExitOnForwardFailure=yes', '-R0:localhost:22')
    expect(forwarding).toMatchObject({ code: 255, messages: expect.stringContaining('forwarding failed') })
    expect((await ssh('bob', '-s', 'sftp')).code).not.toBe(0)
  })

  test('cannot run another command', async () => {
    const marker = join(client.folder, 'marker')
    const commands = [
      `git-upload-pack '/acme/web.git'; touch ${marker}`,
      `git-upload-pack '--upload-pack=touch ${marker}'`,
      `git-receive-pack '/acme/web.git' \`touch ${marker}\``,
      `"\ntouch ${marker}\n`,
    ]
    for (const command of commands) {
      const { code, output, messages } = await ssh('bob', command)
      expect({ code, output }).toEqual({ code: 1, output: '' })
      expect(messages).toMatch(/^ERROR: (?:Only git fetch|The project you were looking for)/)
    }
    expect(existsSync(marker)).toBe(false)
  })

  test('cannot change the data that the command uses with variables', async () => {
    const other = join(client.folder, 'other.db')
    expect(
      await ssh('bob', `-oSetEnv=FORGELET_DATA=${other} FORGELET_DATABASE=postgres://127.0.0.1:1/x`),
    ).toMatchObject({
      code: 0,
      output: 'Welcome to Forgelet, @bob!\n',
    })
    expect(await ssh('bob', `-oSetEnv=GIT_PROTOCOL=version=2;touch,${other}`)).toMatchObject({ code: 0 })
    const loaded = await ssh('bob', `-oSetEnv=NODE_OPTIONS=--require=${other} SSH_ORIGINAL_COMMAND=id`)
    expect(loaded).toMatchObject({ code: 0, output: 'Welcome to Forgelet, @bob!\n' })
    expect(existsSync(other)).toBe(false)
  })

  test('is refused when blocked, with an expired key, one for signatures, and an unknown one', async () => {
    await host.users.block({ user: 'bob' })
    expect(await clone('bob')).toMatchObject(denied)
    await host.users.unblock({ user: 'bob' })
    expect(await clone('unknown')).toMatchObject(denied)
    const key = { user: 'bob', title: 'x', key: keys.publicKey('unknown') }
    const expired = await host.keys.create({ ...key, expiresAt: '2020-01-01T00:00:00Z' })
    expect(await clone('unknown')).toMatchObject(denied)
    await host.keys.remove({ user: 'bob', key: expired.id })
    const signing = await host.keys.create({ ...key, usageType: 'signing' })
    expect(await clone('unknown')).toMatchObject(denied)
    await host.keys.remove({ user: 'bob', key: signing.id })
  })

  test('is refused where the settings exclude the type of the key', async () => {
    await host.settings.update({ ecdsaKeyRestriction: -1 })
    expect(await clone('carol')).toMatchObject({
      code: 128,
      messages: expect.stringContaining('Your SSH key type is forbidden. Must be RSA, DSA, or ED25519'),
    })
    await host.settings.update({ ecdsaKeyRestriction: 0 })
    expect(await clone('carol')).toMatchObject({ code: 0 })
  })

  test('pushes five times at once', { timeout: 120_000 }, async () => {
    await clone('bob')
    const id = await client.commit('copy', 'many', { 'c.txt': 'c\n' })
    const pushes = Array.from({ length: 5 }, (_, at) =>
      git('bob', 'copy', 'push', '--quiet', 'origin', `HEAD:refs/heads/many-${at}`),
    )
    expect((await Promise.all(pushes)).map(({ code, messages }) => ({ code, messages }))).toEqual(
      pushes.map(() => ({ code: 0, messages: '' })),
    )
    const { items } = await host.branches.list({ project, search: 'many-', perPage: 100 })
    expect(items.map(({ commit }) => commit.id)).toEqual(Array.from({ length: 5 }, () => id))
  })
})

test('a deploy key reads its project, and pushes if it may', async () => {
  expect(await clone('reader')).toMatchObject({ code: 0 })
  await client.commit('copy', 'third', { 'd.txt': 'd\n' })
  expect(await git('reader', 'copy', 'push', 'origin', 'HEAD:refs/heads/robot')).toMatchObject({ code: 128 })
  expect(await git('writer', 'copy', 'push', '--quiet', 'origin', 'HEAD:refs/heads/robot')).toMatchObject({ code: 0 })
})

describe('forgelet ssh authorized-keys', () => {
  const read = (name: string) => keys.publicKey(name).split(' ')
  const fingerprintOf = async (name: string) => {
    const { items } = await host.keys.list({ user: name })
    const [, base64 = ''] = read(name)
    expect(items).toHaveLength(1)
    return `SHA256:${hash('sha256', Buffer.from(base64, 'base64'), 'base64').replace('=', '')}`
  }
  const list = async (account: string, fingerprint: string, type = '', key = '') =>
    run(['ssh', 'authorized-keys', '--data', file, account, fingerprint, type, key], {
      FORGELET_DATA: '/missing/other.db',
    })

  test('prints one line, with a quoted command', async () => {
    const [type, key] = read('bob')
    const fingerprint = await fingerprintOf('bob')
    const { code, stdout } = await list('git', fingerprint, type, key)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^command="[^"]* ssh serve --key SHA256:\S{43} --data '[^"]*it'\\''s a forge\.db'",restrict /,
    )
    expect(stdout.trimEnd().endsWith(`,restrict ${type} ${key}`)).toBe(true)
    expect(stdout.split('\n')).toHaveLength(2)
  })

  test('prints nothing for another account of the machine', async () => {
    const [type, key] = read('bob')
    expect(await list('root', await fingerprintOf('bob'), type, key)).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('refuses a key with another fingerprint, and what is not a key', async () => {
    const [type, key] = read('unknown')
    const fingerprint = await fingerprintOf('bob')
    for (const [as, of] of [
      [type, key],
      ['ssh-rsa"\ncommand="id', key],
      [type, 'AAAA\nssh-rsa'],
    ])
      expect(await list('git', fingerprint, as, of)).toMatchObject({ code: 2, stdout: '' })
  })
})

test('sshd has logged no error of the commands', () => {
  expect(server.log()).not.toMatch(/AuthorizedKeysCommand .* (?:failed|killed)/)
})
