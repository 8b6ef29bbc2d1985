import { createHash } from 'node:crypto'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gitRoutes } from '../../packages/http/src/git/git-routes.ts'
import { type Caller, callers, expectedStatus, matrixWorld, readTable, visibilities } from './matrix.ts'

/** Like `permissionTable`, for the routes of git: their URLs contain paths, and anonymous clients are asked for a credential. */

const author = { name: 'A', email: 'a@example.com', date: '2026-01-01T00:00:00Z' }

let forge: FakeForge
beforeAll(async () => {
  forge = await fakeForge({ seed: matrixWorld({}) })
  for (const visibility of visibilities) {
    const files = [{ path: 'README.md', content: 'hello\n' }]
    const commits = [{ message: 'first', author, files }]
    await forge.host.commits.import({ project: `${visibility}/code`, commits })
  }
})
afterAll(() => forge.close())

const table = `
  call                                                 anonymous   non-member  guest       reporter developer maintainer owner admin
  GET  /:path.git/info/refs?service=git-upload-pack    200·401·401 200·200·404 200·200·403 200      200       200        200   200
  POST /:path.git/git-upload-pack                      200·401·401 200·200·404 200·200·403 200      200       200        200   200
  GET  /:path.git/info/refs?service=git-receive-pack   401         403·403·404 403         403      200       200        200   200
  POST /:path.git/git-receive-pack                     401         403·403·404 403         403      200       200        200   200
`

const emptyPack = (() => {
  const header = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1')
  return Buffer.concat([header, createHash('sha1').update(header).digest()])
})()
const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text

/** A request that changes or returns something, so that a missing check shows. */
const createBody = (path: string, tip: string, reference: string) => {
  if (path.endsWith('/git-upload-pack')) return Buffer.from(`${line(`want ${tip}\n`)}0000${line('done\n')}`)
  if (!path.endsWith('/git-receive-pack')) return undefined
  return Buffer.concat([Buffer.from(`${line(`${'0'.repeat(40)} ${tip} ${reference}\0 report-status`)}0000`), emptyPack])
}

interface Cell {
  readonly method: string
  readonly path: string
  readonly project: string
  readonly token: string | undefined
}

const send = async ({ method, path, project, token }: Cell) => {
  const tip = (await forge.host.branches.get({ project: 'public/code', branch: 'main' })).commit.id
  const body = method === 'POST' ? createBody(path, tip, `refs/heads/${token ?? 'anonymous'}`) : undefined
  const credential = Buffer.from(`any:${token}`).toString('base64')
  const response = await forge.fetch(path.replace(':path', project), {
    method,
    headers: token === undefined ? {} : { authorization: `Basic ${credential}` },
    ...(body && { body }),
  })
  return { status: response.status, text: await response.text() }
}

const tokenOf = (caller: Caller) => (caller === 'anonymous' ? undefined : `${caller}-token`)

test('every route of git has a row', () => {
  const routes = Object.values(gitRoutes).map(({ method, path, query }) => `${method} ${path}${query && `?${query}`}`)
  expect(
    readTable(table)
      .map(({ call }) => call)
      .sort(),
  ).toEqual(routes.sort())
})

test.each(readTable(table))('$call', async ({ method, path, cells }) => {
  for (const visibility of visibilities) {
    for (const caller of callers) {
      const token = tokenOf(caller)
      const reply = await send({ method, path, token, project: `${visibility}/code` })
      expect(reply.status, `${caller}, ${visibility}`).toBe(expectedStatus(cells[caller], visibility))
      if (reply.status === 401 || reply.status === 404) {
        expect(await send({ method, path, token, project: `${visibility}/missing` })).toEqual(reply)
      }
    }
  }
})

test.each(readTable(table))('$call with other tokens', async ({ method, path }) => {
  for (const token of ['reads-token', 'self-token', 'registry-token', 'blocked-token']) {
    const { status } = await send({ method, path, token, project: 'public/code' })
    expect(status, token).toBe(403)
  }
})

test('deploy tokens read with their own user name', async () => {
  const path = '/:path.git/info/refs?service=git-upload-pack'
  const scopes = ['read_repository' as const]
  const { username, secret } = await forge.host.deployTokens.create({ group: 'private', name: 'cluster', scopes })
  const read = async (user: string, project: string, service = path) => {
    const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
    return (await forge.fetch(service.replace(':path', project), { headers: { authorization } })).status
  }
  expect(await read(username, 'private/code')).toBe(200)
  expect(await read(username, 'public/code')).toBe(200)
  expect(await read(username, 'internal/code')).toBe(404)
  expect(await read('any', 'private/code')).toBe(401)
  expect(await read(username, 'private/code', path.replace('upload', 'receive'))).toBe(403)
})

test('pushes of permitted callers only have created branches', async () => {
  const { items } = await forge.host.branches.list({ project: 'private/code', perPage: 100 })
  const permitted = ['developer', 'maintainer', 'owner', 'admin'].map((caller) => `${caller}-token`)
  expect(items.map(({ name }) => name).sort()).toEqual([...permitted, 'main'].sort())
})
