import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { type RunningSshServer, serveSsh } from '@forgelet/http/ssh'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { createGitClient, type GitClient } from '../support/git-client.ts'
import { openDemo } from '../support/open-demo.ts'
import { createSshClient, type SshClient } from '../support/ssh-client.ts'

/** Git over SSH with the ssh and the git of this machine. */

const project = 'acme/web'
let forge: FakeForge
let server: RunningSshServer
let client: GitClient
let keys: SshClient

const keyFile = (name: string) => keys.keyFile(name)
const publicKey = (name: string) => keys.publicKey(name)

beforeAll(() => {
  keys = createSshClient({
    bob: ['ed25519'],
    carol: ['ecdsa', '-b', '256'],
    deploy: ['rsa', '-b', '2048'],
    unknown: ['ed25519'],
  })
})
afterAll(() => keys.remove())

const ssh = (key: string, ...words: readonly string[]) => keys.ssh(key, ...words)
const git = (key: string, place: string, ...args: readonly string[]) => keys.git(key, client, place, ...args)

const urlOf = (path = project) => `${server.url}/${path}.git`
const clone = (key: string, path = project, ...args: readonly string[]) =>
  git(key, '.', ...args, 'clone', '--quiet', urlOf(path), 'copy')

beforeEach(async () => {
  forge = await world({ seed: openDemo })
  server = await serveSsh(forge.platform, { port: 0, baseUrl: 'http://forge.example' })
  client = createGitClient()
  keys.connectTo(server)
  await forge.as('bob').commits.import({
    project,
    commits: [{ message: 'first', files: [{ path: 'a.txt', content: 'a\n' }] }],
  })
  for (const user of ['bob', 'carol']) await forge.host.keys.create({ user, title: user, key: publicKey(user) })
})
afterEach(async () => {
  await server.close()
  client.remove()
  await forge.close()
})

describe('a user with a key', () => {
  test.each(['0', '1', '2'])('clones and pulls with version %s of the protocol', async (version) => {
    const protocol = ['-c', `protocol.version=${version}`]
    expect(await clone('bob', project, ...protocol)).toMatchObject({ code: 0, messages: '' })
    expect(readFileSync(join(client.folder, 'copy/a.txt'), 'utf8')).toBe('a\n')
    expect((await forge.host.keys.list({ user: 'bob' })).items).toMatchObject([{ lastUsedAt: expect.any(String) }])
    expect((await forge.host.keys.list({ user: 'carol' })).items).toMatchObject([{ lastUsedAt: null }])
    const files = [{ path: 'b.txt', content: 'b\n' }]
    await forge.as('bob').commits.import({ project, commits: [{ message: 'second', files }] })
    expect(await git('bob', 'copy', ...protocol, 'pull', '--quiet')).toMatchObject({ code: 0 })
    expect(readFileSync(join(client.folder, 'copy/b.txt'), 'utf8')).toBe('b\n')
    expect(await forge.host.repository.getFetchStatistics({ project })).toMatchObject({ fetches: { total: 2 } })
  })

  test('pushes small and large changes, and deletes a branch', async () => {
    await clone('bob')
    const id = await client.commit('copy', 'second', { 'b.txt': 'b\n' })
    expect(await git('bob', 'copy', 'push', '--quiet', 'origin', 'HEAD:refs/heads/topic')).toMatchObject({ code: 0 })
    expect(await forge.host.branches.get({ project, branch: 'topic' })).toMatchObject({ commit: { id } })
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`many/${at}.txt`, `${at}\n`.repeat(500)]))
    const many = await client.commit('copy', 'third', files)
    expect(await git('bob', 'copy', 'push', '--quiet', 'origin', 'HEAD:refs/heads/topic')).toMatchObject({ code: 0 })
    expect(await forge.host.branches.get({ project, branch: 'topic' })).toMatchObject({ commit: { id: many } })
    const { items } = await forge.host.events.list({ project, action: 'pushed' } as never)
    expect(items.length).toBeGreaterThan(0)
    expect(await git('bob', 'copy', 'push', '--quiet', 'origin', ':topic')).toMatchObject({ code: 0 })
    await expect(forge.host.branches.get({ project, branch: 'topic' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('sees why a protected branch refuses a push', async () => {
    await forge.host.members.add({ project, users: ['mallory'], accessLevel: 30 })
    await forge.host.keys.create({ user: 'mallory', title: 'x', key: publicKey('unknown') })
    await forge.host.protectedBranches.create({ project, name: 'release' })
    await clone('unknown')
    await client.commit('copy', 'second', { 'b.txt': 'b\n' })
    const { code, messages } = await git('unknown', 'copy', 'push', 'origin', 'HEAD:release')
    expect({ code, messages }).toMatchObject({ code: 1, messages: expect.stringMatching(/protected|not allowed/) })
  })

  test('does not record a key of others that it names without signing', async () => {
    const stolen = keyFile('stolen')
    writeFileSync(`${stolen}.pub`, publicKey('bob'))
    writeFileSync(stolen, readFileSync(keyFile('unknown')), { mode: 0o600 })
    expect((await ssh('stolen', '-T', 'git@127.0.0.1')).code).toBe(255)
    expect((await forge.host.keys.list({ user: 'bob' })).items).toMatchObject([{ lastUsedAt: null }])
  })

  test('learns nothing about projects that they cannot see', async () => {
    await forge.host.projects.create({ namespace: 'bob', path: 'secret', name: 'Secret', visibility: 'private' })
    for (const path of ['bob/secret', 'bob/missing'])
      expect(await clone('carol', path)).toMatchObject({ code: 128, messages: expect.stringContaining('not be found') })
  })

  test('finds a renamed project, with a notice', async () => {
    await forge.host.projects.update({ project, path: 'site' })
    const { code, messages } = await clone('bob')
    expect({ code, messages }).toMatchObject({ code: 0, messages: expect.stringContaining('moved to acme/site') })
  })

  test('is refused when blocked, and with an expired key or one for signatures', async () => {
    const { id } = await forge.host.users.get({ user: 'bob' })
    const denied = { code: 128, messages: expect.stringContaining('Permission denied (publickey)') }
    await forge.host.users.block({ user: id })
    expect(await clone('bob')).toMatchObject(denied)
    await forge.host.users.unblock({ user: id })
    const [key] = (await forge.host.keys.list({ user: 'carol' })).items
    await forge.host.keys.remove({ user: 'carol', key: key?.id ?? 0 })
    const later = { user: 'carol', title: 'x', key: publicKey('carol') }
    const expiring = await forge.host.keys.create({ ...later, expiresAt: '2020-01-01T00:00:00Z' })
    expect(await clone('carol')).toMatchObject(denied)
    await forge.host.keys.remove({ user: 'carol', key: expiring.id })
    await forge.host.keys.create({ ...later, usageType: 'signing' })
    expect(await clone('carol')).toMatchObject(denied)
    expect(await clone('unknown')).toMatchObject(denied)
  })

  test('is refused where the settings exclude the type of the key, or SSH', async () => {
    await forge.host.settings.update({ ecdsaKeyRestriction: -1 })
    expect(await clone('carol')).toMatchObject({
      code: 128,
      messages: expect.stringContaining('Your SSH key type is forbidden. Must be RSA, DSA, or ED25519'),
    })
    await forge.host.settings.update({ enabledGitAccessProtocol: 'http' })
    expect(await clone('bob')).toMatchObject({
      code: 128,
      messages: expect.stringContaining('over SSH is not allowed'),
    })
    await forge.host.settings.update({ enabledGitAccessProtocol: 'ssh' })
    expect(await clone('bob')).toMatchObject({ code: 0 })
  })

  test('is greeted, and gets no shell, terminal, program or forwarding', async () => {
    const greeting = { code: 0, output: 'Welcome to Forgelet, @bob!\n' }
    expect(await ssh('bob', '-T', 'git@127.0.0.1')).toMatchObject(greeting)
    expect(await ssh('bob', '-tt', 'git@127.0.0.1')).toMatchObject({
      messages: expect.stringContaining('PTY allocation request failed'),
    })
    expect(
      await ssh('bob', '-N', '-o', 'ExitOnForwardFailure=yes', '-R', '0:localhost:22', 'git@127.0.0.1'),
    ).toMatchObject({
      code: 255,
      messages: expect.stringContaining('forwarding failed'),
    })
    expect((await ssh('bob', '-T', 'root@127.0.0.1')).code).toBe(255)
    expect((await ssh('bob', '-s', 'git@127.0.0.1', 'sftp')).code).not.toBe(0)
  })

  test.each([
    'ls',
    "git-upload-pack '/acme/web.git'; id",
    "git-upload-pack '--upload-pack=id'",
    'git-upload-pack $(id)',
    "git-upload-pack '/acme/web.git' '--strict'",
    "git-upload-pack '/../acme/web.git'",
    "git-upload-pack ''",
    "git-upload-archive '/acme/web.git'",
    `git-upload-pack '${'a/'.repeat(5_000)}'`,
  ])('cannot run another command (%#)', async (command) => {
    const { code, output, messages } = await ssh('bob', '-T', 'git@127.0.0.1', command)
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(messages).toMatch(/^ERROR: (?:Only git fetch|The project you were looking for|project is too long)/)
  })
})

describe('a deploy key', () => {
  const add = (canPush: boolean) =>
    forge.as('alice').deployKeys.create({ project, title: 'robot', key: publicKey('deploy'), canPush })

  test('reads its project only', async () => {
    await add(false)
    await forge.host.projects.create({ namespace: 'bob', path: 'secret', name: 'Secret', visibility: 'private' })
    expect(await clone('deploy')).toMatchObject({ code: 0 })
    expect(await clone('deploy', 'bob/secret')).toMatchObject({ code: 128 })
    await client.commit('copy', 'second', { 'b.txt': 'b\n' })
    expect(await git('deploy', 'copy', 'push', 'origin', 'HEAD:refs/heads/topic')).toMatchObject({
      code: 128,
      messages: expect.stringContaining('You are not allowed to push code'),
    })
    expect(await ssh('deploy', '-T', 'git@127.0.0.1')).toMatchObject({ output: 'Welcome to Forgelet, @alice!\n' })
  })

  test('pushes where it may, as its creator, and not to protected branches', async () => {
    await add(true)
    await clone('deploy')
    await client.commit('copy', 'second', { 'b.txt': 'b\n' })
    expect(await git('deploy', 'copy', 'push', '--quiet', 'origin', 'HEAD:refs/heads/topic')).toMatchObject({ code: 0 })
    expect((await git('deploy', 'copy', 'push', 'origin', 'HEAD:main')).code).toBe(1)
    const { items } = await forge.host.events.list({ project })
    expect(items.find(({ pushData }) => pushData?.ref === 'topic')).toMatchObject({ author: { username: 'alice' } })
  })
})

describe('a deploy key that the rule of a branch names', () => {
  const push = () => git('deploy', 'copy', 'push', '--quiet', 'origin', 'HEAD:refs/heads/release')

  test('pushes to it while it may push and its creator has access', async () => {
    const alice = forge.as('alice')
    const key = { project, title: 'robot', key: publicKey('deploy'), canPush: true }
    const { id: deployKey } = await alice.deployKeys.create(key)
    const levels = { pushAccessLevel: 0, mergeAccessLevel: 0 } as const
    await alice.protectedBranches.create({ project, name: 'release', ...levels })
    await clone('deploy')
    await client.commit('copy', 'second', { 'b.txt': 'b\n' })
    expect((await push()).code).toBe(1)
    const allowedToPush = [{ deployKeyId: deployKey }]
    await alice.protectedBranches.update({ project, name: 'release', allowedToPush })
    expect(await push()).toMatchObject({ code: 0 })
    const id = await client.commit('copy', 'third', { 'c.txt': 'c\n' })
    // A user with the same rights as the creator of the key cannot push.
    expect((await git('bob', 'copy', 'push', 'origin', 'HEAD:refs/heads/release')).code).toBe(1)
    await alice.deployKeys.update({ project, deployKey, canPush: false })
    expect((await push()).code).toBe(128)
    await alice.deployKeys.update({ project, deployKey, canPush: true })
    expect(await push()).toMatchObject({ code: 0 })
    expect(await forge.host.branches.get({ project, branch: 'release' })).toMatchObject({ commit: { id } })
    await client.commit('copy', 'fourth', { 'd.txt': 'd\n' })
    await forge.host.users.block({ user: 'alice' })
    expect((await push()).code).toBe(1)
  })
})

describe('connections', () => {
  test('end the access of a key that is removed while they are open', async () => {
    const shared = ['-o', `ControlPath=${join(client.folder, 'control')}`]
    const greet = () => ssh('bob', ...shared, '-o', 'ControlMaster=no', '-T', 'git@127.0.0.1')
    const master = spawn('ssh', [...keys.options('bob'), ...shared, '-M', '-N', 'git@127.0.0.1'], { stdio: 'ignore' })
    await expect.poll(() => existsSync(join(client.folder, 'control')), { timeout: 10_000 }).toBe(true)
    expect(await greet()).toMatchObject({ code: 0 })
    const [key] = (await forge.host.keys.list({ user: 'bob' })).items
    await forge.host.keys.remove({ user: 'bob', key: key?.id ?? 0 })
    const refused = { code: 1, output: '', messages: 'ERROR: The SSH key is not known\n' }
    expect(await greet()).toMatchObject(refused)
    const fetch = ['-o', 'ControlMaster=no', 'git@127.0.0.1', "git-upload-pack '/acme/web.git'"]
    expect(await ssh('bob', ...shared, ...fetch)).toMatchObject({ code: 1, output: '' })
    master.kill()
    await once(master, 'exit')
  })

  test('that do not sign in are limited, and others are served', async () => {
    const sockets = Array.from({ length: 1_000 }, () => connect(server.port, '127.0.0.1').on('error', () => undefined))
    await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'data'), once(socket, 'close')])))
    const open = sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded)
    expect(open.length).toBeLessThanOrEqual(100)
    for (const socket of open.slice(0, 10)) socket.destroy()
    await Promise.all(open.slice(0, 10).map((socket) => socket.closed || once(socket, 'close')))
    expect(await clone('bob')).toMatchObject({ code: 0 })
    for (const socket of sockets) socket.destroy()
  })

  test('end when the server closes, after running commands', async () => {
    const large = { 'large.bin': Buffer.alloc(20 * 1024 ** 2, Math.random().toString()) }
    await forge.as('bob').commits.import({
      project,
      commits: [{ message: 'large', files: Object.entries(large).map(([path, content]) => ({ path, content })) }],
    })
    const cloning = clone('bob')
    await new Promise((resolve) => setTimeout(resolve, 300))
    await server.close()
    expect(await cloning).toMatchObject({ code: 0 })
  })

  test('push at the same time', { timeout: 60_000 }, async () => {
    await clone('bob')
    const id = await client.commit('copy', 'second', { 'b.txt': 'b\n' })
    const pushes = Array.from({ length: 20 }, (_, at) =>
      git('bob', 'copy', 'push', '--quiet', 'origin', `HEAD:refs/heads/topic-${at}`),
    )
    expect((await Promise.all(pushes)).map(({ code }) => code)).toEqual(pushes.map(() => 0))
    const { items } = await forge.host.branches.list({ project, search: 'topic-', perPage: 100 })
    expect(items.map(({ commit }) => commit.id)).toEqual(Array.from({ length: 20 }, () => id))
  })
})
