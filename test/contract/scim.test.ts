import type { FakeForge } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { propertyRuns } from '../property-runs.ts'
import { newUser, patchOf, provider, type SendScim, scimError, scimSeed, scimType } from '../scim-world.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'

let forge: FakeForge
let scim: SendScim
beforeEach(async () => {
  forge = await world({ seed: scimSeed })
  scim = provider(forge)
})
afterEach(() => forge.close())

const replace = (path: string, value: unknown) => patchOf({ op: 'Replace', path, value })
const direct = (line: string, headers: Record<string, string>) => {
  const [method, path] = line.split(' ') as [string, string]
  return forge.fetch(`${forge.url}/api/${path}`, { method, headers })
}

describe('one user', () => {
  test('has the documented fields in their order, under the media type of SCIM', async () => {
    const { status, text, headers } = await scim('GET /Users/OLGA-1')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(scimType)
    expect(text).toBe(
      JSON.stringify({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        id: 'OLGA-1',
        active: true,
        emails: [{ type: 'work', value: 'olga@example.com', primary: true }],
        'name.formatted': 'Olga Owner',
        meta: { resourceType: 'User' },
        userName: 'olga',
      }),
    )
  })

  test('is found without regard to case', async () => {
    expect(await scim('GET /Users/olga-1')).toMatchObject({ status: 200, body: { id: 'OLGA-1' } })
  })

  test('may have an id with slashes, dots and signs', async () => {
    const externalId = 'cn=ann/ou=x y/é?.json#1'
    const created = await scim('POST /Users', newUser('ann', { externalId }))
    expect(created.status).toBe(201)
    const encoded = encodeURIComponent(externalId)
    expect(created.headers.get('location')).toBe(`${forge.url}/api/scim/v2/groups/acme/Users/${encoded}`)
    expect(await scim(`GET /Users/${encoded}`)).toMatchObject({ status: 200, body: { id: externalId } })
    expect(await scim(`DELETE /Users/${encoded}`)).toMatchObject({ status: 204, text: '' })
  })

  test('who is unknown is 404, with what was asked for cut short', async () => {
    const { status, body } = await scim(`GET /Users/${'x'.repeat(300)}`)
    expect({ status, body }).toEqual({
      status: 404,
      body: { ...scimError(404), detail: `Resource ${'x'.repeat(255)} not found` },
    })
  })
})

describe('a list', () => {
  test('has everybody who is linked, with the values that were used', async () => {
    const { status, body } = await scim('GET /Users')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['schemas', 'totalResults', 'itemsPerPage', 'startIndex', 'Resources'])
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 2,
      itemsPerPage: 2,
      startIndex: 1,
      Resources: [{ id: 'OLGA-1' }, { id: 'linked-a' }],
    })
  })

  test.each([
    ['count=0', 1, 0],
    ['count=-3', 1, 0],
    ['count=1', 1, 1],
    ['count=1000', 1, 2],
    ['startIndex=0', 1, 2],
    ['startIndex=', 1, 2],
    ['startIndex=-7&count=1', 1, 1],
    ['startIndex=2&count=1', 2, 1],
    ['startIndex=3', 3, 0],
    ['startIndex=999999999999999', 999_999_999_999_999, 0],
    ['attributes=userName&excludedAttributes=emails&sortBy=id', 1, 2],
  ])('%s', async (query, startIndex, found) => {
    const { status, body } = await scim(`GET /Users?${query}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ itemsPerPage: found, startIndex, totalResults: 2 })
    expect(body.Resources).toHaveLength(found)
  })

  test.each([
    'id eq "olga-1"',
    'externalId eq OLGA-1',
    'EXTERNALID EQ "olga-1"',
    'userName eq "Olga"',
    'userName eq "olga@example.com"',
    'emails.value eq "OLGA@example.com"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "olga"',
  ])('finds exactly the one of %s', async (filter) => {
    const { status, body } = await scim(`GET /Users?filter=${encodeURIComponent(filter)}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ totalResults: 1, Resources: [{ id: 'OLGA-1' }] })
  })

  test.each(['id eq "linked-b"', 'userName eq "stranger"', 'userName eq "stranger@example.com"', 'id eq ""'])(
    'is empty for %s: nobody of this group',
    async (filter) => {
      const { status, body } = await scim(`GET /Users?filter=${encodeURIComponent(filter)}`)
      expect({ status, total: body.totalResults, found: body.Resources }).toEqual({ status: 200, total: 0, found: [] })
    },
  )

  test.each([
    '',
    'id ne "a"',
    'active eq true',
    'id eq "a',
    'id eq "a" or id eq "b"',
    'emails.type eq "work"',
    '__proto__ eq 1',
  ])('refuses the filter %j', async (filter) => {
    const { status, body } = await scim(`GET /Users?filter=${encodeURIComponent(filter)}`)
    expect({ status, body }).toEqual({ status: 400, body: scimError(400, 'invalidFilter') })
  })

  test.each(['count=many', 'count=1.5', 'startIndex=[]', 'count=99999999999999999999'])('refuses %s', async (query) => {
    expect(await scim(`GET /Users?${query}`)).toMatchObject({ status: 400, body: scimError(400, 'invalidValue') })
  })
})

describe('a creation', () => {
  test('answers 201 with the user, who is a guest of the group and nothing more', async () => {
    const { status, body } = await scim('POST /Users/', newUser('ann', { admin: true, access_level: 50, state: 'x' }))
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: 'uid-ann', userName: 'ann', active: true, 'name.formatted': 'ann Person' })
    const user = await forge.host.users.get({ user: 'ann' })
    expect(user).toMatchObject({ admin: false, external: false, email: 'ann@example.com' })
    expect(await forge.host.members.get({ group: 'acme', user: 'ann' })).toMatchObject({ accessLevel: 10 })
  })

  test('that is repeated answers the same and changes nothing', async () => {
    const first = await scim('POST /Users', newUser('ann'))
    const again = newUser('else', { externalId: 'UID-ANN' })
    expect(await scim('POST /Users', again)).toMatchObject({ status: 201, body: first.body })
    expect((await forge.host.users.list({ username: 'else' })).items).toEqual([])
  })

  test('with an address that somebody has is 409, and says nothing of whom', async () => {
    const email = [{ type: 'work', value: 'STRANGER@example.com' }]
    const { status, body } = await scim('POST /Users', newUser('ann', { emails: email }))
    expect({ status, body }).toEqual({
      status: 409,
      body: { ...scimError(409, 'uniqueness'), detail: 'Email has already been taken' },
    })
    expect((await forge.host.users.list({ username: 'ann' })).items).toEqual([])
  })

  test.each([
    ['externalId', { externalId: undefined }],
    ['externalId', { externalId: ' ' }],
    ['externalId', { externalId: { a: 1 } }],
    ['externalId', { externalId: 'x'.repeat(256) }],
    ['userName', { userName: null }],
    ['emails', { emails: undefined }],
    ['emails', { emails: [] }],
    ['emails', { emails: 'no address' }],
    ['emails', { emails: [[]] }],
    ['emails', { emails: [{ type: 'home', value: 'a@example.com' }] }],
    ['emails', { emails: [{ type: 'work', value: 7 }] }],
    ['name', { name: undefined }],
    ['name', { name: undefined, displayName: 'Ann' }],
    ['name', { name: null, displayName: 'Ann' }],
    ['name', { name: {} }],
    ['name', { name: 'Ann' }],
    ['name', { name: { formatted: ['Ann'] } }],
    ['name', { name: { formatted: 'x'.repeat(300) } }],
    ['active', { active: 'perhaps' }],
  ])('is refused for a bad %s', async (field, more) => {
    const { status, body } = await scim('POST /Users', newUser('ann', more))
    expect({ status, body }).toEqual({ status: 400, body: scimError(400, 'invalidValue') })
    expect(body.detail).toContain(field)
  })
})

describe('a body', () => {
  test.each(['{', '{"Operations":', '[1,', 'null null', `${'['.repeat(50)}${']'.repeat(50)}`, '{"a":"\\q"}'])(
    'that is no JSON is invalidSyntax: %s',
    async (text) => {
      expect(await scim('POST /Users', text)).toMatchObject({ status: 400, body: scimError(400, 'invalidSyntax') })
    },
  )

  test.each(['null', '[]', '"text"', '7', '{}', '[{"externalId":"x"}]'])('of %s lacks everything', async (text) => {
    expect(await scim('POST /Users', text)).toMatchObject({ status: 400, body: scimError(400, 'invalidValue') })
    expect(await scim('PATCH /Users/OLGA-1', text)).toMatchObject({
      status: 400,
      body: scimError(400, 'invalidSyntax'),
    })
  })

  test('cannot be a form, nor come from the query', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await scim('POST /Users', 'externalId=a', form)).toMatchObject({ status: 415, body: scimError(415) })
    const query = 'externalId=a&userName=a&emails=a@example.com&resource[externalId]=a'
    expect(await scim(`POST /Users?${query}`, {})).toMatchObject({ status: 400 })
  })

  test('may name prototypes without reaching one', async () => {
    const text = `{"__proto__":{"externalId":"p"},"constructor":{"prototype":{"x":1}},${JSON.stringify(newUser('ann')).slice(1)}`
    expect(await scim('POST /Users', text)).toMatchObject({ status: 201, body: { id: 'uid-ann' } })
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test('with text that no database holds is refused', async () => {
    for (const name of ['a\0b', '\ud800']) {
      expect(await scim('POST /Users', newUser('ann', { name: { formatted: name } }))).toMatchObject({ status: 400 })
    }
  })

  test('that is too large is 413 in the form of SCIM', async () => {
    const huge = newUser('ann', { note: 'x'.repeat(17 * 1024 * 1024) })
    expect(await scim('POST /Users', huge)).toMatchObject({ status: 413, body: scimError(413) })
  })

  test('of at most 100 operations', async () => {
    const operations = Array.from({ length: 101 }, () => ({ op: 'replace', path: 'active', value: true }))
    expect(await scim('PATCH /Users/OLGA-1', patchOf(...operations))).toMatchObject({
      status: 400,
      body: scimError(400, 'invalidSyntax'),
    })
  })
})

describe('a change', () => {
  beforeEach(async () => void (await scim('POST /Users', newUser('ann'))))

  test('of all fields answers 204 without a body', async () => {
    for (const [path, value] of [
      ['name.formatted', 'Ann Lee'],
      ['emails[type eq "work"].value', 'lee@example.com'],
      ['userName', 'lee@example.com'],
    ] as const) {
      expect(await scim('PATCH /Users/uid-ann', replace(path, value))).toMatchObject({ status: 204, text: '' })
    }
    expect(await scim('PATCH /Users/uid-ann', replace('externalId', 'uid-lee'))).toMatchObject({ status: 204 })
    expect((await scim('GET /Users/uid-lee')).body).toMatchObject({
      'name.formatted': 'Ann Lee',
      userName: 'lee',
      emails: [{ value: 'lee@example.com' }],
    })
    expect(await scim('GET /Users/uid-ann')).toMatchObject({ status: 404 })
  })

  test('of nothing is 204', async () => {
    for (const body of [patchOf(), replace('userName', 'ann@example.com'), replace('active', true)]) {
      expect(await scim('PATCH /Users/uid-ann', body)).toMatchObject({ status: 204 })
    }
  })

  test('of several attributes in one request applies all of them', async () => {
    const request = patchOf(
      { op: 'replace', path: 'externalId', value: 'uid-lee' },
      { op: 'replace', path: 'name.formatted', value: 'Ann Lee' },
      { op: 'add', path: 'emails[type eq "work"].value', value: 'lee@example.com' },
      { op: 'replace', value: { userName: 'lee@example.com' } },
    )
    expect(await scim('PATCH /Users/uid-ann', request)).toMatchObject({ status: 204 })
    expect((await scim('GET /Users/uid-lee')).body).toMatchObject({
      id: 'uid-lee',
      'name.formatted': 'Ann Lee',
      userName: 'lee',
      emails: [{ value: 'lee@example.com' }],
    })
  })

  test.each([
    ['invalidSyntax', { op: 'move', path: 'userName', value: 'lee' }],
    ['mutability', { op: 'remove', path: 'userName' }],
    ['mutability', { op: 'replace', path: 'meta.resourceType', value: 'Group' }],
    ['noTarget', { op: 'replace', path: 'emails[type eq "home"].value', value: 'lee@example.com' }],
    ['noTarget', { op: 'remove' }],
    ['invalidFilter', { op: 'replace', path: 'emails[type sw "w"].value', value: 'lee@example.com' }],
    ['invalidPath', { op: 'replace', path: '..', value: 'lee' }],
    ['invalidPath', { op: 'replace', path: 'salary', value: 'Dr' }],
    ['invalidValue', { op: 'replace', value: { salary: 'Dr' } }],
    ['invalidValue', { op: 'replace', path: 'emails', value: [{ type: 'home', value: 'lee@example.com' }] }],
  ])('that cannot be applied is %s and leaves nothing half done: %j', async (scimType, operation) => {
    const before = (await scim('GET /Users/uid-ann')).body
    const request = patchOf({ op: 'replace', path: 'displayName', value: 'Changed' }, operation)
    const { status, body } = await scim('PATCH /Users/uid-ann', request)
    expect({ status, body }).toEqual({ status: 400, body: scimError(400, scimType) })
    expect((await scim('GET /Users/uid-ann')).body).toEqual(before)
  })

  test.each([
    { op: 'replace', path: 'title', value: 'Dr' },
    { op: 'replace', value: { title: 'Dr' } },
    { op: 'remove', path: 'nickName' },
    { op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '1' },
    { op: 'add', path: 'addresses[type eq "work"].country', value: 'x' },
    { op: 'add', path: 'name.middleName', value: 'x' },
    { op: 'add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'x' },
    { op: 'add', value: { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'x' } } },
    { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:locale', value: 'x' },
  ])('of an attribute that is not stored is ignored, the others apply: %j', async (operation) => {
    const request = patchOf(operation, { op: 'replace', path: 'displayName', value: 'Changed' })
    expect(await scim('PATCH /Users/uid-ann', request)).toMatchObject({ status: 204 })
    expect((await scim('GET /Users/uid-ann')).body).toMatchObject({ 'name.formatted': 'Changed' })
  })

  test('of a user whom the group did not provision is mutability', async () => {
    const { status, body } = await scim('PATCH /Users/linked-a', replace('displayName', 'Changed'))
    expect({ status, body }).toEqual({ status: 400, body: scimError(400, 'mutability') })
  })

  test.each([
    ['emails[type eq "work"].value', 'stranger@example.com', 'Email has already been taken'],
    ['userName', 'stranger', 'Username has already been taken'],
    ['userName', 'acme', 'Path has already been taken'],
    ['externalId', 'Linked-A', 'External UID has already been taken'],
  ])('to a %s that is taken is 409 and leaves nothing half done', async (path, value, detail) => {
    const before = (await scim('GET /Users/uid-ann')).body
    const request = patchOf({ op: 'replace', value: { displayName: 'Changed' } }, { op: 'replace', path, value })
    const { status, body } = await scim('PATCH /Users/uid-ann', request)
    expect({ status, body }).toEqual({ status: 409, body: { ...scimError(409, 'uniqueness'), detail } })
    expect((await scim('GET /Users/uid-ann')).body).toEqual(before)
  })

  test('of somebody unknown is 404, before the body is judged', async () => {
    expect(await scim('PATCH /Users/nobody', {})).toMatchObject({ status: 404, body: scimError(404) })
    expect(await scim('DELETE /Users/nobody')).toMatchObject({ status: 404, body: scimError(404) })
  })

  test('to "False" ends the identity', async () => {
    expect(await scim('PATCH /Users/uid-ann', replace('active', 'False'))).toMatchObject({ status: 204 })
    expect(await scim('GET /Users/uid-ann')).toMatchObject({ status: 404 })
  })
})

describe('a replacement', () => {
  beforeEach(async () => void (await scim('POST /Users', newUser('ann'))))

  test('answers 200 with the replaced user', async () => {
    const { status, body, headers } = await scim('PUT /Users/uid-ann', newUser('lee', { title: 'ignored' }))
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(scimType)
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: 'uid-lee',
      active: true,
      emails: [{ type: 'work', value: 'lee@example.com', primary: true }],
      'name.formatted': 'lee Person',
      meta: { resourceType: 'User' },
      userName: 'lee',
    })
    expect(await scim('GET /Users/uid-lee')).toMatchObject({ status: 200, body })
    expect(await scim('GET /Users/uid-ann')).toMatchObject({ status: 404 })
  })

  test.each(['userName', 'name', 'emails'])('without %s is 400', async (name) => {
    const { status, body } = await scim('PUT /Users/uid-ann', newUser('ann', { [name]: undefined }))
    expect({ status, body }).toEqual({ status: 400, body: scimError(400, 'invalidValue') })
  })

  test('with a taken value is 409, of an unknown user 404', async () => {
    const taken = newUser('ann', { emails: 'stranger@example.com' })
    expect(await scim('PUT /Users/uid-ann', taken)).toMatchObject({ status: 409, body: scimError(409, 'uniqueness') })
    expect(await scim('PUT /Users/nobody', newUser('ann'))).toMatchObject({ status: 404, body: scimError(404) })
  })

  test('with active: false ends the identity', async () => {
    const response = await scim('PUT /Users/uid-ann', newUser('ann', { active: false }))
    expect(response).toMatchObject({ status: 200, body: { id: 'uid-ann', active: false } })
    expect(await scim('GET /Users/uid-ann')).toMatchObject({ status: 404 })
  })
})

describe('partial representations', () => {
  const always = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], id: 'OLGA-1' }
  const emails = [{ type: 'work', value: 'olga@example.com', primary: true }]
  const name = { 'name.formatted': 'Olga Owner' }
  const meta = { meta: { resourceType: 'User' } }

  test.each([
    ['attributes=userName', { userName: 'olga' }],
    ['attributes=USERNAME,%20name', { userName: 'olga', ...name }],
    ['attributes=userName&attributes=active', { userName: 'olga', active: true }],
    ['attributes=name.formatted', name],
    ['attributes=emails.value', { emails: [{ value: 'olga@example.com' }] }],
    ['attributes=emails,meta.resourceType', { emails, ...meta }],
    ['attributes=urn:ietf:params:scim:schemas:core:2.0:User:userName', { userName: 'olga' }],
    ['attributes=title', {}],
    ['excludedAttributes=emails,active,id,schemas', { userName: 'olga', ...name, ...meta }],
    [
      'excludedAttributes=emails.type,emails.primary,name,meta',
      {
        userName: 'olga',
        active: true,
        emails: [{ value: 'olga@example.com' }],
      },
    ],
    [
      'attributes=userName,emails&excludedAttributes=emails.type',
      {
        userName: 'olga',
        emails: [{ value: 'olga@example.com', primary: true }],
      },
    ],
    ['attributes=', { userName: 'olga', active: true, emails, ...name, ...meta }],
  ])('%s', async (query, expected) => {
    expect((await scim(`GET /Users/OLGA-1?${query}`)).body).toEqual({ ...always, ...expected })
    const list = await scim(`GET /Users?count=1&${query}`)
    expect(list.body).toMatchObject({ totalResults: 2, Resources: [{ ...always, ...expected }] })
    expect(list.body.Resources[0]).toEqual({ ...always, ...expected })
  })

  test('of created and replaced users', async () => {
    const user = { schemas: always.schemas, id: 'uid-ann', userName: 'ann' }
    expect((await scim('POST /Users?attributes=userName', newUser('ann'))).body).toEqual(user)
    expect((await scim('PUT /Users/uid-ann?attributes=userName', newUser('ann'))).body).toEqual(user)
  })

  test('do not concern discovery documents and errors', async () => {
    const schemas = (await scim('GET /Schemas')).body
    expect((await scim('GET /Schemas?attributes=id')).body).toEqual(schemas)
    expect(await scim('GET /Users/nobody?attributes=id')).toMatchObject({ status: 404, body: scimError(404) })
  })
})

describe('who may come', () => {
  const calls = [
    'GET /Users',
    'GET /Users/OLGA-1',
    'POST /Users',
    'PUT /Users/OLGA-1',
    'PATCH /Users/OLGA-1',
    'DELETE /Users/OLGA-1',
  ]
  const people = ['root', 'olga', 'linked', 'guest', 'stranger']

  test.each(calls)('%s is closed to everybody without a SCIM token', async (call) => {
    const body = call.startsWith('P') ? '{ broken' : undefined
    const credentials: Record<string, string>[] = [
      { authorization: '' },
      { authorization: 'Basic YTpi' },
      { authorization: 'Bearer unknown' },
      ...people.map((name) => ({ authorization: `Bearer ${name}-token` })),
      ...people.map((name) => ({ authorization: '', 'private-token': `${name}-token` })),
      { authorization: '', 'private-token': 'acme-scim' },
    ]
    for (const headers of credentials) {
      const answer = await scim(call, body, headers)
      expect(answer, JSON.stringify(headers)).toMatchObject({ status: 401, body: scimError(401) })
      expect(answer.headers.get('content-type')).toBe(scimType)
      expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    }
    expect(await scim(call, body, { authorization: 'Bearer other-scim' })).toMatchObject({
      status: call.startsWith('P') ? 400 : 401,
    })
  })

  test('a person beside a SCIM token adds nothing and takes nothing', async () => {
    expect(await scim('GET /Users', undefined, { 'private-token': 'nonsense' })).toMatchObject({ status: 200 })
  })

  test('an unknown token learns nothing of groups, a known one 404 or 401', async () => {
    const known = await provider(forge, 'acme', 'no-token')('GET /Users')
    const unknown = await provider(forge, 'nothing', 'no-token')('GET /Users')
    expect(known.text).toBe(unknown.text)
    expect(await provider(forge, 'nothing')('GET /Users')).toMatchObject({ status: 404, body: scimError(404) })
    expect(await provider(forge, 'other')('GET /Users')).toMatchObject({ status: 401, body: scimError(401) })
  })

  test('a provider that is switched off is 403', async () => {
    expect(await provider(forge, 'off', 'off-scim')('GET /Users')).toMatchObject({ status: 403, body: scimError(403) })
  })

  test('a SCIM token opens nothing of the main API, public things included', async () => {
    for (const headers of [{ 'private-token': 'acme-scim' }, { authorization: 'Bearer acme-scim' }]) {
      for (const path of ['v4/groups/acme/members', 'v4/projects/1/labels', 'v4/markdown']) {
        expect((await direct(`${path.endsWith('markdown') ? 'POST' : 'GET'} ${path}`, headers)).status).toBe(401)
      }
    }
  })

  test('identities of another group do not exist', async () => {
    for (const call of ['GET /Users/linked-b', 'DELETE /Users/linked-b']) {
      expect(await scim(call)).toMatchObject({ status: 404 })
    }
    expect(await scim('PATCH /Users/linked-b', replace('active', false))).toMatchObject({ status: 404 })
    expect(await provider(forge, 'other', 'other-scim')('GET /Users/linked-b')).toMatchObject({ status: 200 })
  })
})

test('those who administer the group see what its members are called there', async () => {
  const membersAs = async (name: string) => {
    const response = await forge.fetch(`${forge.url}/api/v4/groups/acme/members`, {
      headers: { 'private-token': `${name}-token` },
    })
    return (await response.json()) as readonly Record<string, unknown>[]
  }
  const members = await membersAs('olga')
  const linkedId = members[1]?.id
  const [olga, linked, guest] = members.map((member) => member.group_saml_identity)
  expect(olga).toEqual({ extern_uid: 'OLGA-1', provider: 'acme-saml', saml_provider_id: expect.any(Number) })
  expect(linked).toMatchObject({ extern_uid: 'linked-a' })
  expect(guest).toBeNull()
  for (const member of await membersAs('guest')) expect(member).not.toHaveProperty('group_saml_identity')
  // The answer to a change says as much as a list does.
  const changed = await forge.fetch(`${forge.url}/api/v4/groups/acme/members/${linkedId}`, {
    method: 'PUT',
    headers: { 'private-token': 'olga-token', 'content-type': 'application/json' },
    body: JSON.stringify({ access_level: 30 }),
  })
  expect(await changed.json()).toMatchObject({ access_level: 30, group_saml_identity: { extern_uid: 'linked-a' } })
})

describe('a token of another group is 401, and nothing changes', () => {
  test.each([
    ['GET /Users'],
    ['GET /Users/linked-a'],
    ['HEAD /Users/linked-a'],
    ['POST /Users', newUser('ann')],
    ['PUT /Users/linked-a', newUser('ann', { externalId: 'linked-a', active: false })],
    ['PATCH /Users/linked-a', replace('active', false)],
    ['DELETE /Users/linked-a'],
  ])('%s', async (call, body?: unknown) => {
    const before = await scim('GET /Users')
    for (const token of ['other-scim', 'tools-scim', 'off-scim', 'root-token', 'unknown']) {
      const { status, body: error } = await provider(forge, 'acme', token)(call, body)
      expect([token, status]).toEqual([token, 401])
      if (!call.startsWith('HEAD')) expect(error).toMatchObject(scimError(401))
    }
    expect((await scim('GET /Users')).text).toBe(before.text)
  })
})

describe('addresses', () => {
  test.each(['acme/tools', 'acme%2Ftools', 'ACME%2Ftools'])('a nested group as %s', async (group) => {
    const tools = provider(forge, group, 'tools-scim')
    expect(await tools('GET /Users')).toMatchObject({ status: 200, body: { totalResults: 0 } })
    expect(await tools('POST /Users', newUser('ann'))).toMatchObject({ status: 201 })
    expect(await tools('GET /Users/uid-ann')).toMatchObject({ status: 200 })
  })

  test('a group that is called like the list is told apart where its path is encoded', async () => {
    const { id: group } = await forge.host.groups.create({ parent: 'acme', name: 'Users', path: 'Users' })
    await forge.host.sso.enable({ group })
    await forge.host.sso.createToken({ group, secret: 'users-scim' })
    expect(await provider(forge, 'acme%2FUsers', 'users-scim')('GET /Users')).toMatchObject({ status: 200 })
    expect(await provider(forge, 'acme/Users', 'users-scim')('GET /Users/nobody')).toMatchObject({
      body: { detail: 'Resource nobody not found' },
    })
  })

  test('with thousands of slashes are looked up', async () => {
    expect(await provider(forge, 'Users/'.repeat(1_000))('GET /Users/Groups/x')).toMatchObject({ status: 404 })
  })

  test('a group whose path has only digits is no id', async () => {
    const { id } = await forge.host.groups.get({ group: 'acme' })
    expect(await provider(forge, String(id))('GET /Users')).toMatchObject({ status: 404 })
  })

  test('other methods and addresses do not exist, all in the form of SCIM', async () => {
    const post = await scim('POST /Users/OLGA-1', {})
    expect(post).toMatchObject({ status: 405, body: scimError(405) })
    expect(post.headers.get('allow')).toBe('OPTIONS, GET, HEAD, PUT, PATCH, DELETE')
    expect(await scim('PUT /Users', newUser('ann'))).toMatchObject({ status: 405, body: scimError(405) })
    expect(await scim('GET /Groups')).toMatchObject({ status: 404, body: scimError(404) })
    expect(await scim('GET /Users/%E0%A4%A')).toMatchObject({ status: 400, body: scimError(400, 'invalidSyntax') })
    for (const { headers } of [post, await scim('GET /Groups')]) expect(headers.get('content-type')).toBe(scimType)
    expect(await scim('PUT /Users/OLGA-1', {}, { authorization: '' })).toMatchObject({ status: 401 })
  })

  test('what is possible can be read', async () => {
    const settings = await scim('GET /ServiceProviderConfig')
    expect(settings).toMatchObject({
      status: 200,
      body: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
        patch: { supported: true },
        bulk: { supported: false },
        filter: { supported: true, maxResults: 100 },
        authenticationSchemes: [{ type: 'oauthbearertoken' }],
      },
    })
    expect((await scim('GET /ResourceTypes')).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: 'User', endpoint: '/Users', schema: 'urn:ietf:params:scim:schemas:core:2.0:User' }],
    })
    const { body } = await scim('GET /Schemas')
    expect(body.Resources[0].id).toBe('urn:ietf:params:scim:schemas:core:2.0:User')
    const names = body.Resources[0].attributes.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['userName', 'name', 'emails', 'active'])
    // Responses contain every declared attribute.
    const { body: olga } = await scim('GET /Users/OLGA-1')
    for (const { name, subAttributes = [] } of body.Resources[0].attributes) {
      if (name !== 'name') expect(olga).toHaveProperty([name])
      for (const { name: part } of subAttributes)
        expect(name === 'name' ? olga : olga[name][0]).toHaveProperty([name === 'name' ? `name.${part}` : part])
    }
    expect(await scim('GET /Schemas', undefined, { authorization: '' })).toMatchObject({ status: 401 })
    // What a list holds is there by itself as well, and nothing else is.
    expect((await scim('GET /Schemas/urn:ietf:params:scim:schemas:core:2.0:User')).body).toEqual(body.Resources[0])
    expect((await scim('GET /ResourceTypes/User')).body).toEqual((await scim('GET /ResourceTypes')).body.Resources[0])
    for (const call of ['GET /Schemas/urn:ietf:params:scim:schemas:core:2.0:Group', 'GET /ResourceTypes/Group']) {
      expect(await scim(call)).toMatchObject({
        status: 404,
        body: { status: '404', detail: expect.stringMatching(/^Resource .*Group not found$/) },
      })
    }
  })
})

describe('whatever is sent', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'id',
      'externalId',
      'userName',
      'emails',
      'name',
      'active',
      'value',
      'op',
      'path',
      'Replace',
      'add',
    ),
    fc.constantFrom('emails[type eq "work"].value', 'name.formatted', '__proto__', 'OLGA-1', 'False', 'a@b', ']['),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.boolean(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(word, tie('json'), { maxKeys: 4 }),
    ),
  }))
  const operation = fc.record(
    { op: fc.oneof(fc.constantFrom('Replace', 'add'), json), path: word, value: json },
    { requiredKeys: [] },
  )

  test('nothing crashes, and every answer is one of SCIM', async () => {
    const expected = [200, 201, 204, 400, 404, 409]
    await fc.assert(
      fc.asyncProperty(
        word,
        json,
        fc.array(fc.oneof(operation, json), { maxLength: 5 }),
        async (text, body, operations) => {
          const filter = encodeURIComponent(`${text} eq ${JSON.stringify(text)}`.toWellFormed())
          const answers = [
            await scim(`GET /Users?filter=${filter}`),
            await scim('POST /Users', newUser('ann', { [text]: body })),
            await scim('PATCH /Users/linked-a', patchOf(...operations)),
            await scim('PATCH /Users/uid-ann', patchOf(...operations)),
            await scim('PUT /Users/uid-ann', newUser('ann', { [text]: body })),
            await scim('PUT /Users/linked-a', newUser('ann', { [text]: body })),
          ]
          for (const { status, body: answered, headers } of answers) {
            expect(expected).toContain(status)
            if (status >= 400) expect(answered).toMatchObject(scimError(status))
            if (status !== 204) expect(headers.get('content-type')).toBe(scimType)
          }
          expect(await forge.host.users.get({ user: 'linked' })).toMatchObject({ email: 'linked@example.com' })
        },
      ),
      propertyRuns(15),
    )
  })
})

everyRouteCalled('scim')
