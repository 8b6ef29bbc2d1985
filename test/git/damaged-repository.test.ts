import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Git, gitBinary } from '@forgelet/core'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, type Send } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'
import { runGitText } from '../support/sample-history.ts'

const project = 'acme/web'
const base = '/projects/acme%2Fweb/repository'
const as = 'alice'

let forge: FakeForge
let git: Git
let send: Send
let directory: string
/** The errors in the log. */
let logged: string[]

beforeEach(async () => {
  logged = []
  const logger = { info: () => undefined, error: (entry: object) => void logged.push(JSON.stringify(entry)) }
  // Without caches, which would answer from memory.
  git = gitBinary({ limits: { cacheBytes: 1 } })
  forge = await world({ http: { logger }, ports: { git } })
  send = client(forge)
  const author = { name: 'A', email: 'a@example.com' }
  const files = ['README.md', 'src/main.ts'].map((path) => ({ path, content: path }))
  // So few objects are stored in a file each.
  await forge.host.commits.import({ project, commits: [{ message: 'one', author, files }] })
  directory = (await forge.host.repository.get({ project })).directory as string
})
afterEach(async () => {
  await forge.close()
  await git.close()
})

const idOf = (revision: string) => runGitText(directory, 'rev-parse', revision)
const fileOf = (id: string) => join(directory, 'objects', id.slice(0, 2), id.slice(2))

/** Replaces an object file, which is read-only. */
const overwrite = (path: string, content: string) => {
  rmSync(path, { force: true })
  writeFileSync(path, content)
}

const expectServerError = async (path: string) => {
  logged = []
  expect((await send(`GET ${base}${path}`, { as })).status).toBe(500)
  expect(logged.join()).toMatch(
    /DamagedRepositoryError: .*(missing|invalid|unreadable|not a git repository)|GitProcessError/,
  )
}

const routes = ['/tree', '/archive', '/contributors', '/branches', '/compare?from=main&to=main', '/commits/main']

describe('a damaged repository is not an empty one', () => {
  test.each<[string, () => void]>([
    ['a missing directory', () => rmSync(directory, { recursive: true })],
    ['a missing object folder', () => rmSync(join(directory, 'objects'), { recursive: true })],
    ['an empty reference', () => truncateSync(join(directory, 'refs/heads/main'))],
    ['an unreadable list of packed references', () => overwrite(join(directory, 'packed-refs'), 'abc\n')],
    ['a missing commit', () => rmSync(fileOf(idOf('main')))],
    ['an unreadable commit', () => overwrite(fileOf(idOf('main')), 'abc')],
  ])('%s', async (name, damage) => {
    if (name.includes('packed')) rmSync(join(directory, 'refs/heads/main'))
    damage()
    for (const route of routes) await expectServerError(route)
  })

  test('a missing or unreadable directory', async () => {
    const main = fileOf(idOf('main^{tree}'))
    overwrite(main, 'abc')
    await expectServerError('/tree')
    await expectServerError('/archive')
    rmSync(main)
    await expectServerError('/tree?path=src')
  })

  test('a missing directory below the root', async () => {
    rmSync(fileOf(idOf('main:src')))
    await expectServerError('/tree?path=src')
    await expectServerError('/tree?recursive=true')
  })

  test('an unreadable file, but not an unknown id', async () => {
    const id = idOf('main:README.md')
    overwrite(fileOf(id), 'abc')
    await expectServerError(`/blobs/${id}`)
    await expectServerError(`/blobs/${id}/raw`)
    expect((await send(`GET ${base}/blobs/${'1'.repeat(40)}`, { as })).status).toBe(404)
    expect((await send(`GET ${base}/tree`, { as })).status).toBe(200)
  })
})

test.each(['tar', 'tar.gz', 'tar.bz2', 'zip'])('a %s archive that git cannot create is an error', async (suffix) => {
  rmSync(fileOf(idOf('main:README.md')))
  await expectServerError(`/archive.${suffix}`)
})

test('empty repositories and unknown references are still not found', async () => {
  await forge.host.repository.create({ project: 'bob/notes' })
  expect((await send('GET /projects/bob%2Fnotes/repository/tree', { as: 'bob' })).status).toBe(404)
  expect((await send(`GET ${base}/tree?ref=nowhere`, { as })).status).toBe(404)
  runGitText(directory, 'tag', 'file', 'main:README.md')
  expect((await send(`GET ${base}/tree?ref=file`, { as })).status).toBe(404)
  expect(logged).toEqual([])
})
