import { fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOpenApiDocument } from '../../packages/http/src/openapi/document.ts'
import { getInputReader } from '../../packages/http/src/request/input-reader.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { unsupportedTable } from '../../packages/http/src/routing/unsupported-table.ts'
import { client, type Send } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'

let forge: Awaited<ReturnType<typeof world>>
let send: Send
beforeAll(async () => {
  forge = await world()
  send = client(forge)
})
afterAll(() => forge.close())

const header = 'forgelet-unsupported-parameters'
const issues = '/projects/acme%2Fweb/issues'

describe('documented parameters without an effect', () => {
  test('are named in a header, and in the journal, also if the request fails', async () => {
    const listed = await send(`GET ${issues}?iteration_id=1&not[iteration_id]=1&unknown=1`)
    expect([listed.status, listed.headers.get(header)]).toEqual([200, 'iteration_id, not.iteration_id'])
    expect(forge.journal.last).toMatchObject({ status: 200, unsupported: ['iteration_id', 'not.iteration_id'] })
    const failed = await send('GET /users?created_by=1&active=neither', { as: 'root' })
    expect([failed.status, failed.headers.get(header)]).toEqual([400, 'created_by'])
    const plain = await send(`GET ${issues}?state=opened`)
    expect([plain.status, plain.headers.get(header)]).toEqual([200, null])
    expect(forge.journal.last?.unsupported).toEqual([])
  })

  test('of lists are named', async () => {
    const read = async (path: string) => (await send(`GET ${path}`, { as: 'root' })).headers.get(header)
    expect(await read('/users?search=x&created_by=1')).toBe('created_by')
    expect(await read('/projects/acme%2Fweb/events?scope=all')).toBe('scope')
    expect(await read('/groups/acme/projects/shared?with_shared=false')).toBe('with_shared')
  })

  test('that restrict a change are 400, unless their value requests nothing', async () => {
    const share = (json: object) => send('POST /groups/acme/share', { as: 'alice', json })
    const group = (await send('GET /groups/acme%2Ftools', { as: 'alice' })).body.id
    const sent = { group_id: group, group_access: 30 }
    expect(await share({ ...sent, member_role_id: 7 })).toMatchObject({
      status: 400,
      body: { error: 'member_role_id is not supported' },
    })
    expect((await share({ ...sent, member_role_id: null })).status).not.toBe(400)
    const anonymous = await send('POST /groups/acme/share', { json: { ...sent, member_role_id: 7 } })
    expect(anonymous.status).toBe(401)
  })

  test('are marked in the OpenAPI document', () => {
    const { paths } = createOpenApiDocument(routes, { url: 'http://forge.test' }) as unknown as {
      paths: Record<string, Record<string, Record<string, unknown>>>
    }
    expect(paths['/api/v4/projects/{id}/issues']?.get?.['x-unsupported-parameters']).toContain('iteration_id')
    expect(paths['/api/v4/projects/{id}/labels/{label_id}']?.get).not.toHaveProperty('x-unsupported-parameters')
  })

  test('belong to routes that exist', () => {
    const served = routes.map(({ method, path }) => `${method} ${path.replace('/api/v4', '')}`)
    expect(Object.keys(unsupportedTable).filter((line) => !served.includes(line))).toEqual([])
    for (const route of routes) {
      const { fields, unsupported } = getInputReader(route)
      expect(unsupported.filter(({ name }) => fields.some(({ wire }) => wire === name))).toEqual([])
    }
  })
})

describe("fakeForge({ unsupported: 'fail' })", () => {
  test('rejects requests and names the parameters', async () => {
    const strict = await fakeForge({ unsupported: 'fail' })
    const message = 'GET /api/v4/projects/:id/issues was requested with parameters that have no effect: iteration_id'
    await expect(strict.fetch(`/api/v4${issues}?iteration_id=1`)).rejects.toThrow(message)
    await expect(strict.close()).rejects.toThrow(message)
  })

  test('forgets them on a reset', async () => {
    await using strict = await fakeForge({ unsupported: 'fail' })
    await expect(strict.fetch(`/api/v4${issues}?iteration_id=1`)).rejects.toThrow('iteration_id')
    await strict.reset()
    expect((await strict.fetch(`/api/v4${issues}`)).status).toBe(200)
  })
})
