import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { client, type Send } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'
import { createGitClient, type GitClient } from '../support/git-client.ts'

let git: GitClient
const place = 'repository'
const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, {
    cwd: git.folder,
    env: { PATH: process.env.PATH, HOME: git.folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()

/** Keys of OpenPGP by the parameters of `--quick-generate-key`; the last one signs with a subkey. */
const gpgKeys = {
  ed25519: 'Bob <bob@example.com>',
  rsa2048: 'Bob <BOB@example.com>',
  subkey: 'Robert <bob@example.com>',
}
const sshTypes = [['ed25519'], ['rsa', '2048'], ['ecdsa', '256'], ['ecdsa', '384'], ['ecdsa', '521']] as const

const fingerprints = new Map<string, string>()
const commits = new Map<string, string>()

const generateGpgKey = (name: string, userId: string, ...parameters: readonly string[]) => {
  const batch = ['--batch', '--passphrase', '']
  run('gpg', ...batch, '--quick-generate-key', userId, ...parameters)
  const list = run('gpg', '--list-keys', '--with-colons').split('\n')
  const fingerprint =
    list
      .filter((line) => line.startsWith('fpr:'))
      .at(-1)
      ?.split(':')[9] ?? ''
  fingerprints.set(name, fingerprint)
  return { fingerprint, batch }
}

const signCommit = async (name: string, format: 'openpgp' | 'ssh', key: string) => {
  await git.git(place, 'config', 'gpg.format', format)
  await git.git(place, 'config', 'user.signingKey', key)
  commits.set(name, await git.commit(place, `Sign with ${name}`, { [name]: name }))
}

/** The same commit with another message, and its old signature. */
const forge = async (name: string) => {
  const raw = await git.git(place, 'cat-file', 'commit', commits.get(name) ?? '')
  writeFileSync(join(git.folder, 'raw'), `${raw.replace('Sign with', 'Forge with')}\n`)
  commits.set(`forged ${name}`, await git.git(place, 'hash-object', '-t', 'commit', '-w', '../raw'))
}

beforeAll(async () => {
  git = createGitClient()
  await git.git('', 'init', '-q', place)
  await git.git(place, 'config', 'commit.gpgSign', 'true')
  await git.git(place, 'config', 'gpg.ssh.allowedSignersFile', join(git.folder, 'signers'))
  for (const type of ['ed25519', 'rsa2048'] as const) generateGpgKey(type, gpgKeys[type], type, 'sign', '0')
  const { fingerprint, batch } = generateGpgKey('subkey', gpgKeys.subkey, 'ed25519', 'cert', '0')
  run('gpg', ...batch, '--quick-add-key', fingerprint, 'ed25519', 'sign', '0')
  for (const [name, key] of fingerprints) await signCommit(name, 'openpgp', key)
  await git.git(place, 'tag', '-s', '-m', 'Signed', '-u', fingerprints.get('ed25519') ?? '', 'v1')
  const signers: string[] = []
  for (const [type, bits = ''] of sshTypes) {
    const file = `ssh-${type}${bits}`
    run('ssh-keygen', '-q', '-t', type, ...(bits ? ['-b', bits] : []), '-N', '', '-C', file, '-f', file)
    signers.push(`bob@example.com ${readFileSync(join(git.folder, `${file}.pub`), 'utf8')}`)
    await signCommit(file, 'ssh', join(git.folder, file))
  }
  writeFileSync(join(git.folder, 'signers'), signers.join(''))
  for (const name of ['ed25519', 'ssh-ed25519', 'ssh-rsa2048', 'ssh-ecdsa256']) await forge(name)
}, 60_000)
afterAll(() => {
  run('gpgconf', '--kill', 'all')
  git.remove()
})

let fake: FakeForge
let send: Send
beforeEach(async () => {
  fake = await world()
  send = client(fake)
  await fake.host.repository.import({ project: 'acme/web', path: join(git.folder, place), inPlace: true })
})
afterEach(() => fake.close())

const base = '/projects/acme%2Fweb/repository'
const read = async (name: string) => (await send(`GET ${base}/commits/${commits.get(name)}/signature`)).body
const statusOf = async (name: string): Promise<string> => (await read(name)).verification_status
const exportKey = (name: string) => run('gpg', '--armor', '--export', fingerprints.get(name) ?? '').trim()
const addGpgKey = (name: string, user = 'bob') => fake.host.gpgKeys.create({ user, key: exportKey(name) })
const addSshKey = (name: string, user = 'bob') =>
  fake.host.keys.create({ user, key: readFileSync(join(git.folder, `${name}.pub`), 'utf8') })

test('the same commits are verified as by git', async () => {
  for (const name of fingerprints.keys()) await addGpgKey(name)
  for (const [type, bits = ''] of sshTypes) await addSshKey(`ssh-${type}${bits}`)
  for (const [name, id] of commits) {
    const { code } = await git.run(place, 'verify-commit', id)
    expect([name, await statusOf(name)]).toEqual([name, code === 0 ? 'verified' : 'unverified'])
  }
})

describe('a signature of OpenPGP', () => {
  test('names the key, its owner and the subkey', async () => {
    const { id } = await addGpgKey('ed25519')
    expect(await read('ed25519')).toEqual({
      signature_type: 'PGP',
      verification_status: 'verified',
      gpg_key_id: id,
      gpg_key_primary_keyid: fingerprints.get('ed25519')?.slice(-16),
      gpg_key_user_name: 'Bob',
      gpg_key_user_email: 'bob@example.com',
      gpg_key_subkey_id: null,
      commit_source: 'gitaly',
    })
    await addGpgKey('subkey')
    expect(await read('subkey')).toMatchObject({
      gpg_key_primary_keyid: fingerprints.get('subkey')?.slice(-16),
      gpg_key_subkey_id: expect.any(Number),
    })
  })

  test('depends on the addresses of the user and the committer', async () => {
    expect(await read('ed25519')).toMatchObject({
      verification_status: 'unknown_key',
      gpg_key_id: null,
      gpg_key_primary_keyid: fingerprints.get('ed25519')?.slice(-16),
      gpg_key_user_name: null,
    })
    await addGpgKey('ed25519', 'carol')
    expect(await read('ed25519')).toMatchObject({
      verification_status: 'unverified_key',
      gpg_key_user_email: 'bob@example.com',
    })
    await fake.host.users.update({ user: 'bob', email: 'robert@example.com' })
    await addGpgKey('rsa2048')
    expect(await statusOf('rsa2048')).toBe('unverified_key')
    await fake.host.emails.create({ user: 'bob', email: 'bob@example.com', skipConfirmation: true })
    expect(await statusOf('rsa2048')).toBe('verified')
  })

  test('stays verified after the removal of its key, but not after its revocation', async () => {
    const remove = await addGpgKey('ed25519')
    const revoke = await addGpgKey('rsa2048')
    expect([await statusOf('ed25519'), await statusOf('rsa2048')]).toEqual(['verified', 'verified'])
    await fake.as('bob').gpgKeys.remove({ key: remove.id })
    await fake.as('bob').gpgKeys.revoke({ key: revoke.id })
    expect(await read('ed25519')).toMatchObject({ verification_status: 'verified', gpg_key_id: null })
    expect(await statusOf('rsa2048')).toBe('unknown_key')
  })

  test('of a tag is that of the tagger', async () => {
    expect(await send(`GET ${base}/tags/v1/signature`)).toMatchObject({ body: { verification_status: 'unknown_key' } })
    await addGpgKey('ed25519')
    expect(await send(`GET ${base}/tags/v1/signature`)).toMatchObject({
      status: 200,
      body: { signature_type: 'PGP', verification_status: 'verified' },
    })
    await git.git(place, 'tag', 'light')
    expect(await send(`GET ${base}/tags/light/signature`)).toMatchObject({
      status: 404,
      body: { message: '404 Signature Not Found' },
    })
  })
})

test('a signature of SSH names the key of its user', async () => {
  expect(await read('ssh-ed25519')).toMatchObject({ verification_status: 'unknown_key', key: null })
  const { id } = await addSshKey('ssh-ed25519')
  expect(await read('ssh-ed25519')).toMatchObject({
    signature_type: 'SSH',
    verification_status: 'verified',
    key: { id, title: 'ssh-ed25519', usage_type: 'auth_and_signing' },
  })
  await addSshKey('ssh-rsa2048', 'carol')
  expect(await statusOf('ssh-rsa2048')).toBe('other_user')
})
