import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { provider, type SendScim, scimSeed } from '../scim-world.ts'
import { world } from '../sqlite-world.ts'

/** Requests in the form in which Okta, Entra ID, OneLogin and JumpCloud document or log them. */

let forge: FakeForge
let scim: SendScim
beforeEach(async () => {
  forge = await world({ seed: scimSeed })
  scim = provider(forge)
})
afterEach(() => forge.close())

const User = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PatchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const search = (filter: string, query = '') => scim(`GET /Users?filter=${encodeURIComponent(filter)}${query}`)

describe('Okta', () => {
  const okta = {
    schemas: [User],
    userName: 'test.user@okta.local',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const id = okta.externalId

  test('tests the connection, creates, updates, deactivates and reactivates', async () => {
    const tested = await scim('GET /Users?startIndex=1&count=2')
    expect(tested).toMatchObject({ status: 200, body: { totalResults: 2, itemsPerPage: 2, startIndex: 1 } })

    const before = await search(`userName eq "${okta.userName}"`, '&startIndex=1&count=100')
    expect(before).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } })

    const created = await scim('POST /Users', okta)
    expect(created).toMatchObject({ status: 201, body: { id, userName: 'test.user', 'name.formatted': 'Test User' } })
    expect(created.text).not.toContain('1mz050nq')
    expect(await scim(`GET /Users/${id}`)).toMatchObject({ status: 200, body: created.body })
    expect(await search(`userName eq "${okta.userName}"`)).toMatchObject({ body: { totalResults: 1 } })

    // Applications created with the Okta wizard update with PUT: the resource as they read it, with changes.
    const { externalId: _, displayName: __, ...resource } = okta
    const name = { givenName: 'Renamed', middleName: '', familyName: 'User' }
    const emails = [{ primary: true, value: okta.userName, type: 'work', display: okta.userName }]
    const replacement = { ...resource, id, name, emails, meta: { resourceType: 'User' } }
    expect(await scim(`PUT /Users/${id}`, replacement)).toMatchObject({
      status: 200,
      body: { id, userName: 'test.user', 'name.formatted': 'Renamed User', active: true },
    })

    const profile = { name: { givenName: 'Another', familyName: 'User' }, emails: okta.emails, userName: okta.userName }
    const update = { schemas: [PatchOp], Operations: [{ op: 'replace', value: profile }] }
    expect(await scim(`PATCH /Users/${id}`, update)).toMatchObject({ status: 204 })
    expect((await scim(`GET /Users/${id}`)).body['name.formatted']).toBe('Another User')

    const deactivate = { schemas: [PatchOp], Operations: [{ op: 'replace', value: { active: false } }] }
    expect(await scim(`PATCH /Users/${id}`, deactivate)).toMatchObject({ status: 204, text: '' })
    expect(await scim(`GET /Users/${id}`)).toMatchObject({ status: 404 })

    const afterwards = await search(`userName eq "${okta.userName}"`, '&startIndex=1&count=100')
    expect(afterwards.body.totalResults).toBe(0)
    expect(await scim('POST /Users', okta)).toMatchObject({ status: 201, body: { id, userName: 'test.user' } })
    expect((await forge.host.users.list({ username: 'test.user1' })).items).toEqual([])

    const activate = { schemas: [PatchOp], Operations: [{ op: 'replace', value: { id, active: true } }] }
    expect(await scim(`PATCH /Users/${id}`, activate)).toMatchObject({ status: 204 })
  })

  test('receives a uniqueness error for a taken name', async () => {
    const taken = { ...okta, emails: [{ primary: true, value: 'stranger@example.com', type: 'work' }] }
    const { status, body } = await scim('POST /Users', taken)
    expect({ status, scimType: body.scimType, text: body.status }).toEqual({
      status: 409,
      scimType: 'uniqueness',
      text: '409',
    })
  })
})

describe('Entra', () => {
  const id = '58342554-38d6-4ec8-948c-50044d0a33fd'
  const entra = {
    schemas: [User, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    externalId: id,
    userName: 'jyoung@testuser.com',
    active: true,
    addresses: null,
    displayName: 'Joy Young',
    emails: [{ type: 'work', value: 'Jyoung@testuser.com', primary: true }],
    meta: { resourceType: 'User' },
    name: { familyName: 'Young', formatted: 'Joy Young', givenName: 'Joy' },
    phoneNumbers: null,
    preferredLanguage: null,
    title: null,
    department: null,
    manager: null,
  }
  const patch = (...Operations: object[]) => scim(`PATCH /Users/${id}`, { schemas: [PatchOp], Operations })

  test('searches an unknown user, finds by external id, updates and deletes', async () => {
    // The connection test searches a random name and expects an empty list.
    const unknown = await search('userName eq "ae9c4b1c-2d2c-4f5a-bd2c-6b5b0f0b9a1e"')
    expect(unknown).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } })

    expect(await search(`externalId eq "${id}"`)).toMatchObject({ status: 200, body: { totalResults: 0 } })
    expect(await scim('POST /Users', entra)).toMatchObject({ status: 201, body: { id, userName: 'jyoung' } })
    expect(await scim('POST /Users', entra)).toMatchObject({ status: 201, body: { id, userName: 'jyoung' } })
    for (const filter of [`externalId eq "${id}"`, `externalId eq ${id}`, 'userName eq "jyoung@testuser.com"']) {
      expect(await search(filter)).toMatchObject({ body: { totalResults: 1, Resources: [{ id }] } })
    }
    expect(await search('displayName eq "Joy"')).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } })

    const response = await patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@testuser.com' },
      { op: 'Replace', path: 'name.familyName', value: 'Updated' },
    )
    expect(response).toMatchObject({ status: 204, text: '' })
    expect((await scim(`GET /Users/${id}`)).body).toMatchObject({
      'name.formatted': 'Joy Updated',
      emails: [{ type: 'work', value: 'updated@testuser.com' }],
    })

    // The default attribute mapping of Entra has attributes that are not stored: the others apply.
    const department = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department'
    for (const path of [department, 'addresses[type eq "work"].country', 'title']) {
      const name = `Joy ${path.length}`
      const applied = await patch({ op: 'Add', path: 'name.formatted', value: name }, { op: 'Add', path, value: 'x' })
      expect(applied).toMatchObject({ status: 204 })
      expect((await scim(`GET /Users/${id}`)).body).toMatchObject({ 'name.formatted': name })
    }
    // Other paths reject the whole request, and the provisioning log names them.
    const rejected = await patch(
      { op: 'Add', path: 'name.formatted', value: 'Not Applied' },
      { op: 'Add', path: 'shoeSize', value: 'x' },
    )
    expect(rejected).toMatchObject({ status: 400, body: { scimType: 'invalidPath' } })
    expect(rejected.body.detail).toContain('shoesize')
    expect((await scim(`GET /Users/${id}`)).body).not.toMatchObject({ 'name.formatted': 'Not Applied' })

    expect(await patch({ op: 'Replace', path: 'active', value: 'False' })).toMatchObject({ status: 204 })
    expect(await search(`externalId eq "${id}"`)).toMatchObject({ status: 200, body: { totalResults: 0 } })
    expect(await scim('POST /Users', entra)).toMatchObject({ status: 201, body: { id, userName: 'jyoung' } })
    expect(await scim(`DELETE /Users/${id}`)).toMatchObject({ status: 204, text: '' })
    expect(await scim(`DELETE /Users/${id}`)).toMatchObject({ status: 404 })
  })

  test('sends dotted names in one object, and booleans, in its newer dialect', async () => {
    await scim('POST /Users', entra)
    const value = { 'name.formatted': 'Joy Dotted', 'emails[type eq "work"].value': 'dotted@testuser.com', title: 'Dr' }
    expect(await patch({ op: 'add', value })).toMatchObject({ status: 204 })
    expect((await scim(`GET /Users/${id}`)).body).toMatchObject({
      'name.formatted': 'Joy Dotted',
      emails: [{ value: 'dotted@testuser.com' }],
    })
    expect(await patch({ op: 'replace', path: 'active', value: false })).toMatchObject({ status: 204 })
    expect(await scim(`GET /Users/${id}`)).toMatchObject({ status: 404 })
  })
})

describe('OneLogin', () => {
  const onelogin = {
    schemas: [User],
    userName: 'lena.berg@example.com',
    displayName: 'Lena Berg',
    externalId: '95218733',
    name: { familyName: 'Berg', givenName: 'Lena', formatted: 'Lena Berg' },
    emails: [{ value: 'lena.berg@example.com', type: 'work', primary: true }],
  }
  const id = onelogin.externalId

  test('searches, creates, replaces, suspends by PUT and deletes', async () => {
    expect(await search('userName eq "lena.berg@example.com"')).toMatchObject({ body: { totalResults: 0 } })
    expect(await scim('POST /Users', onelogin)).toMatchObject({ status: 201, body: { id, userName: 'lena.berg' } })
    const name = { familyName: 'Berg-Lund', givenName: 'Lena', formatted: 'Lena Berg-Lund' }
    const emails = [{ value: 'lena.lund@example.com', type: 'work', primary: true }]
    const changed = { ...onelogin, name, displayName: name.formatted, emails }
    expect(await scim(`PUT /Users/${id}`, changed)).toMatchObject({
      status: 200,
      body: { id, active: true, 'name.formatted': 'Lena Berg-Lund', emails },
    })
    expect(await scim(`PUT /Users/${id}`, { ...changed, active: false })).toMatchObject({
      status: 200,
      body: { active: false },
    })
    expect(await scim('POST /Users', { ...changed, active: true })).toMatchObject({ status: 201, body: { id } })
    expect(await scim(`DELETE /Users/${id}`)).toMatchObject({ status: 204 })
  })

  test('patches with a value and no path', async () => {
    await scim('POST /Users', onelogin)
    const patch = (value: object) =>
      scim(`PATCH /Users/${id}`, { schemas: [PatchOp], Operations: [{ op: 'replace', value }] })
    expect(await patch({ name: { familyName: 'Lund', givenName: 'Lena' } })).toMatchObject({ status: 204 })
    expect((await scim(`GET /Users/${id}`)).body['name.formatted']).toBe('Lena Lund')
    expect(await patch({ active: false })).toMatchObject({ status: 204 })
    expect(await scim(`GET /Users/${id}`)).toMatchObject({ status: 404 })
  })
})

describe('JumpCloud', () => {
  const jumpcloud = {
    schemas: [User],
    externalId: '5f1f0a3c9b2e4d0017a1b2c3',
    userName: 'omar.diaz@example.com',
    name: { familyName: 'Diaz', givenName: 'Omar' },
    displayName: 'Omar Diaz',
    emails: [{ type: 'work', value: 'omar.diaz@example.com', primary: true }],
    active: true,
    addresses: [],
    phoneNumbers: [],
  }
  const id = jumpcloud.externalId

  test('searches by e-mail address, creates, replaces and deactivates', async () => {
    expect(await search('emails.value eq "omar.diaz@example.com"')).toMatchObject({ body: { totalResults: 0 } })
    expect(await scim('POST /Users', jumpcloud)).toMatchObject({ status: 201, body: { id, userName: 'omar.diaz' } })
    expect(await search('emails.value eq "omar.diaz@example.com"')).toMatchObject({
      body: { totalResults: 1, itemsPerPage: 1, Resources: [{ id }] },
    })
    const name = { familyName: 'Diaz Ruiz', givenName: 'Omar' }
    expect(await scim(`PUT /Users/${id}`, { ...jumpcloud, id, name, displayName: 'Omar Diaz Ruiz' })).toMatchObject({
      status: 200,
      body: { id, 'name.formatted': 'Omar Diaz Ruiz' },
    })
    const deactivate = { schemas: [PatchOp], Operations: [{ op: 'replace', path: 'active', value: false }] }
    expect(await scim(`PATCH /Users/${id}`, deactivate)).toMatchObject({ status: 204 })
    expect(await search(`externalId eq "${id}"`)).toMatchObject({ body: { totalResults: 0, itemsPerPage: 0 } })
  })
})
