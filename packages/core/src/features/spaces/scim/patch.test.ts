import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPlatformError } from '../../../kernel/errors.ts'
import { applyScimPatch } from './patch.ts'
import { scimReasons } from './scim-error.ts'
import type { ScimAttributes } from './user-resource.ts'

const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']

const current: ScimAttributes = {
  externalUid: 'uid-1',
  username: 'old',
  name: 'Old Name',
  givenName: 'Old',
  familyName: 'Name',
  email: 'old@example.com',
  active: true,
}

const patchBody = (body: unknown, before = current) => {
  const after = applyScimPatch(before, body)
  const changed = Object.entries(after).filter(([key, value]) => value !== before[key as keyof ScimAttributes])
  return Object.fromEntries(changed)
}

/** The attributes that the operations change. */
const change = (...operations: unknown[]) => patchBody({ schemas, Operations: operations })

const patchErrorOf = (body: unknown) => {
  try {
    applyScimPatch(current, body)
  } catch (error) {
    if (isPlatformError(error) && error.code === 'invalid_input') return error.reason
    throw error
  }
  return undefined
}

const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

describe('requests of Okta', () => {
  test('deactivates without a path', () => {
    expect(change({ op: 'replace', value: { active: false } })).toEqual({ active: false })
  })

  test('activates and sets the external UID', () => {
    expect(change({ op: 'replace', value: { id: '23a35c27', active: true } })).toEqual({ externalUid: '23a35c27' })
  })

  test('reads a profile from nested objects', () => {
    const value = {
      userName: 'ann@example.com',
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [{ primary: true, value: 'ann@example.com', type: 'work' }],
      nickName: 'annie',
      groups: [],
    }
    expect(change({ op: 'replace', value })).toEqual({
      username: 'ann@example.com',
      name: 'Ann Lee',
      givenName: 'Ann',
      familyName: 'Lee',
      email: 'ann@example.com',
    })
  })
})

describe('requests of Entra', () => {
  test('accepts capital letters, booleans as strings and one operation per field', () => {
    expect(
      change(
        { op: 'Replace', path: 'displayName', value: 'Ann Lee' },
        { op: 'Add', path: 'emails[type eq "work"].value', value: 'ann@example.com' },
        { op: 'Replace', path: 'name.givenName', value: 'Anna' },
        { op: 'Replace', path: 'externalId', value: 'ann.lee' },
        { op: 'Replace', path: 'userName', value: 'ann@example.com' },
        { op: 'Replace', path: 'active', value: 'False' },
      ),
    ).toEqual({
      name: 'Ann Lee',
      givenName: 'Anna',
      email: 'ann@example.com',
      externalUid: 'ann.lee',
      username: 'ann@example.com',
      active: false,
    })
  })

  test('accepts dotted names and paths with a filter as keys of a value', () => {
    const value = {
      displayName: 'Ann',
      'name.formatted': 'Ann Lee',
      'emails[type eq "work"].value': 'ann@example.com',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'Sales',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: 'x' },
    }
    expect(change({ op: 'Add', value })).toEqual({ name: 'Ann Lee', email: 'ann@example.com' })
  })

  test('combines one part of the name with the stored other part', () => {
    expect(change({ op: 'Replace', path: 'name.familyName', value: 'Lee' })).toEqual({
      name: 'Old Lee',
      familyName: 'Lee',
    })
    expect(change(replace('name.givenName', ''), replace('name.familyName', 'Lee'))).toEqual({
      name: 'Lee',
      givenName: '',
      familyName: 'Lee',
    })
    const formatted = { ...current, name: 'Dr. Old Name' }
    expect(patchBody({ Operations: [replace('name.givenName', 'Old')] }, formatted)).toEqual({})
    const unknown = { ...current, familyName: null }
    expect(() => patchBody({ Operations: [replace('name.givenName', 'Ann')] }, unknown)).toThrow(
      expect.objectContaining({ reason: 'invalid_value', message: expect.stringContaining('name.familyName') }),
    )
    const both = [replace('name.givenName', 'Ann'), replace('name.familyName', 'Lee')]
    expect(patchBody({ Operations: both }, unknown)).toMatchObject({ name: 'Ann Lee' })
    expect(patchBody({ Operations: [replace('name.formatted', 'Ann')] }, unknown)).toEqual({ name: 'Ann' })
  })

  test.each([
    'title',
    'preferredLanguage',
    'addresses[type eq "work"].country',
    'phoneNumbers[type eq "mobile"].value',
    'roles[primary eq "True"].value',
    'name.honorificPrefix',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
  ])('ignores %s, which is not stored', (path) => {
    expect(change({ op: 'Add', path, value: 'x' })).toEqual({})
    expect(change({ op: 'Remove', path })).toEqual({})
  })

  test.each([
    'salary',
    'emails.display',
    'userName[type eq "work"]',
    'urn:ietf:params:scim:schemas:extension:other:2.0:User:manager',
  ])('rejects the unsupported attribute %s', (path) => {
    expect(patchErrorOf({ Operations: [{ op: 'Add', path, value: 'x' }] })).toBe('invalid_path')
    expect(patchErrorOf({ Operations: [{ op: 'Remove', path }] })).toBe('invalid_path')
  })
})

describe('operations', () => {
  test.each(['add', 'Add', 'ADD', 'replace', 'Replace', ' rePLace '])('accepts %j', (op) => {
    expect(change({ op, path: 'userName', value: 'ann' })).toEqual({ username: 'ann' })
  })

  test.each(['move', 'copy', '', 'Delete', 7, null])('rejects %j', (op) => {
    expect(patchErrorOf({ Operations: [replace('userName', 'ann'), { op, path: 'userName', value: 'ann' }] })).toBe(
      'invalid_syntax',
    )
  })

  test.each([
    'id',
    'externalId',
    'userName',
    'displayName',
    'name',
    'name.formatted',
    'name.givenName',
    'emails',
    'emails.value',
    'emails[type eq "work"]',
    'emails[value eq "OLD@example.com"].value',
    'active',
    'schemas',
    'meta',
    'meta.resourceType',
  ])('cannot remove %s', (path) => {
    expect(patchErrorOf({ Operations: [{ op: 'remove', path }] })).toBe('mutability')
    expect(patchErrorOf({ Operations: [{ op: 'Remove', path, value: 'x' }] })).toBe('mutability')
    expect(patchErrorOf({ Operations: [replace(path, null)] })).toBe('mutability')
    expect(patchErrorOf({ Operations: [replace(path, [])] })).toBe('mutability')
  })

  test('of removal require a path that leads to a value', () => {
    expect(patchErrorOf({ Operations: [{ op: 'remove' }] })).toBe('no_target')
    expect(patchErrorOf({ Operations: [{ op: 'remove', path: 'emails[type eq "home"]' }] })).toBe('no_target')
  })

  test('without a path ignore unsupported attributes, unless there are no others', () => {
    const value = { nickName: 'ann', groups: [], meta: { resourceType: 'User' }, schemas: ['x'], title: null }
    expect(change({ op: 'replace', value: { ...value, userName: 'ann' } })).toEqual({ username: 'ann' })
    expect(change({ op: 'replace', value })).toEqual({})
    expect(patchErrorOf({ Operations: [{ op: 'replace', value: { salary: 1 } }] })).toBe('invalid_value')
    expect(patchErrorOf({ Operations: [{ op: 'replace', value: {} }] })).toBe('invalid_value')
    expect(change({ op: 'add', value: { name: { honorificPrefix: 'Dr', formatted: 'Ann' } } })).toEqual({ name: 'Ann' })
  })

  test('may be empty', () => {
    expect(change()).toEqual({})
  })

  test('on the same field: the last one wins', () => {
    expect(
      change(replace('active', false), replace('userName', 'ann'), replace('active', true), replace('USERNAME', 'bob')),
    ).toEqual({ username: 'bob' })
  })

  test('have case-insensitive member names', () => {
    expect(patchBody({ operations: [{ OP: 'replace', Path: 'id', VALUE: 'x' }] })).toEqual({ externalUid: 'x' })
  })
})

describe('fields', () => {
  test.each([
    ['id', 'u1', { externalUid: 'u1' }],
    ['externalId', 'u1', { externalUid: 'u1' }],
    ['EXTERNALID', 17, { externalUid: '17' }],
    ['userName', ' ann ', { username: 'ann' }],
    ['userName', '"ann"', { username: 'ann' }],
    ['userName', [{ $ref: null, value: 'ann' }], { username: 'ann' }],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName', 'ann', { username: 'ann' }],
    ['displayName', 'Ann "the one" Lee', { name: 'Ann "the one" Lee' }],
    ['name.formatted', 'Ann Lee', { name: 'Ann Lee' }],
    ['Name.Formatted', 'Ann Lee', { name: 'Ann Lee' }],
    ['name', { formatted: 'Ann Lee', familyName: 'Other' }, { name: 'Ann Lee', familyName: 'Other' }],
    ['name', { formatted: null, familyName: 'Lee' }, { name: 'Old Lee', familyName: 'Lee' }],
    ['name', { givenName: 'Ann', familyName: 'Lee' }, { name: 'Ann Lee', givenName: 'Ann', familyName: 'Lee' }],
    ['name', { FamilyName: 'Lee', GivenName: 'Ann' }, { name: 'Ann Lee', givenName: 'Ann', familyName: 'Lee' }],
    ['name', 'Ann Lee', { name: 'Ann Lee' }],
    ['name', { givenName: 'Ann', familyName: '' }, { name: 'Ann', givenName: 'Ann', familyName: '' }],
    ['name.givenName', 'Ann', { name: 'Ann Name', givenName: 'Ann' }],
    ['name.familyName', 'Lee', { name: 'Old Lee', familyName: 'Lee' }],
    ['active', true, {}],
    ['active', false, { active: false }],
    ['Active', 'True', {}],
    ['active', 'false', { active: false }],
    ['active', '"FALSE"', { active: false }],
    ['active', { value: 'False' }, { active: false }],
    ['active', [{ value: false }], { active: false }],
  ])('%s: %j', (path, value, expected) => {
    expect(change(replace(path, value))).toEqual(expected)
    if (path !== 'name' || typeof value !== 'string')
      expect(change({ op: 'replace', value: { [path]: value } })).toEqual(expected)
  })

  test('a formatted name wins over a display name in any order', () => {
    expect(change(replace('name.formatted', 'A'), replace('displayName', 'B'))).toEqual({ name: 'A' })
    expect(change(replace('displayName', 'B'), replace('name.formatted', 'A'))).toEqual({ name: 'A' })
    expect(change(replace('name', { givenName: 'C', familyName: 'D' }), replace('displayName', 'B'))).toEqual({
      name: 'B',
      givenName: 'C',
      familyName: 'D',
    })
  })

  const work = { type: 'work', value: 'w@example.com' }
  const home = { type: 'home', value: 'h@example.com' }

  test.each([
    ['emails[type eq "work"].value', 'w@example.com'],
    ['Emails[Type EQ "Work"].Value', 'w@example.com'],
    ['emails[type eq work].value', 'w@example.com'],
    ['emails[primary eq true].value', 'w@example.com'],
    ['emails[type eq "work" and primary eq true].value', 'w@example.com'],
    ['emails[type eq "work"]', work],
    ['emails[type eq "work"]', [work]],
    ['emails[type eq "work"]', { value: 'w@example.com' }],
    ['emails[value eq "Old@example.com"].value', 'w@example.com'],
    ['emails.value', 'w@example.com'],
    ['emails', 'w@example.com'],
    ['emails', work],
    ['emails', [work]],
    ['emails', [home, work]],
    ['emails', [home, { value: 'w@example.com', primary: true }]],
    ['emails', [{ Type: 'WORK', Value: 'w@example.com' }]],
    ['emails', [{ value: 'w@example.com' }]],
  ])('sets the e-mail address: %s %j', (path, value) => {
    expect(change(replace(path, value))).toEqual({ email: 'w@example.com' })
  })

  test.each([
    ['invalid_value', 'emails', [home]],
    ['invalid_value', 'emails', [home, { value: 'x@example.com' }]],
    ['invalid_value', 'emails', [{ type: 'work' }]],
    ['invalid_value', 'emails[type eq "work"]', home],
    ['no_target', 'emails[type eq "home"].value', 'h@example.com'],
    ['no_target', 'emails[type eq "work" and primary eq false].value', 'h@example.com'],
    ['no_target', 'emails[value eq "other@example.com"].value', 'h@example.com'],
    ['mutability', 'emails[type eq "work"].type', 'home'],
    ['mutability', 'emails.primary', false],
    ['invalid_filter', 'emails[type ne "home"].value', 'w@example.com'],
    ['invalid_filter', 'emails[type eq "work" or primary eq true].value', 'w@example.com'],
    ['invalid_filter', 'emails[display eq "x"].value', 'w@example.com'],
    ['invalid_filter', 'emails[ ].value', 'w@example.com'],
    ['invalid_path', 'emails[].value', 'w@example.com'],
  ])('rejects with %s: %s %j', (scimType, path, value) => {
    expect(patchErrorOf({ Operations: [replace(path, value)] })).toBe(scimType)
    expect(patchErrorOf({ Operations: [{ op: 'add', value: { userName: 'ann', [path]: value } }] })).toBe(scimType)
  })

  test('accepts the type and the primary flag that the address has', () => {
    expect(change(replace('emails[type eq "work"].primary', 'True'), replace('emails.type', 'Work'))).toEqual({})
  })

  test('matches a filter by the address that an earlier operation has set', () => {
    const operations = [
      replace('emails.value', 'a@example.com'),
      replace('emails[value eq "a@example.com"].value', 'b@b'),
    ]
    expect(change(...operations)).toEqual({ email: 'b@b' })
  })
})

describe('invalid requests', () => {
  const deep = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`)

  test.each([
    [undefined, 'invalid_syntax'],
    [null, 'invalid_syntax'],
    ['text', 'invalid_syntax'],
    [[], 'invalid_syntax'],
    [{}, 'invalid_syntax'],
    [{ Operations: {} }, 'invalid_syntax'],
    [{ Operations: 'x' }, 'invalid_syntax'],
    [{ Operations: [null] }, 'invalid_syntax'],
    [{ Operations: ['x'] }, 'invalid_syntax'],
    [{ Operations: [[]] }, 'invalid_syntax'],
    [{ Operations: [{}] }, 'invalid_syntax'],
    [{ Operations: [{ op: 1, path: 'active', value: true }] }, 'invalid_syntax'],
    [{ Operations: Array(1001).fill(replace('active', true)) }, 'invalid_syntax'],
    [{ Operations: [{ op: 'replace', path: 'active' }] }, 'invalid_value'],
    [{ Operations: [{ op: 'replace' }] }, 'invalid_value'],
    [{ Operations: [{ op: 'replace', value: 'x' }] }, 'invalid_value'],
    [{ Operations: [{ op: 'replace', value: [{ active: true }] }] }, 'invalid_value'],
    [{ Operations: [{ op: 'replace', value: null }] }, 'invalid_value'],
    [{ Operations: [{ op: 'replace', path: 1, value: true }] }, 'invalid_path'],
    [{ Operations: [{ op: 'replace', path: {}, value: true }] }, 'invalid_path'],
    [{ Operations: [replace('..', 'x')] }, 'invalid_path'],
    [{ Operations: [replace('.', 'x')] }, 'invalid_path'],
    [{ Operations: [replace('name..formatted', 'x')] }, 'invalid_path'],
    [{ Operations: [replace('user name', 'x')] }, 'invalid_path'],
    [{ Operations: [replace('urn:x', 'x')] }, 'invalid_path'],
    [{ Operations: [replace('emails[type eq "work".value', 'x')] }, 'invalid_path'],
    [{ Operations: [replace('emails]type eq "work"[', 'x')] }, 'invalid_path'],
    [{ Operations: [replace('[type eq "work"].value', 'x')] }, 'invalid_path'],
    [{ Operations: [replace('emails[type eq "work"]value', 'x')] }, 'invalid_path'],
    [{ Operations: [{ op: 'replace', value: { 'emails[': 'x' } }] }, 'invalid_path'],
    [{ Operations: [replace('active', 'maybe')] }, 'invalid_value'],
    [{ Operations: [replace('active', 1)] }, 'invalid_value'],
    [{ Operations: [replace('active', [true, false])] }, 'invalid_value'],
    [{ Operations: [replace('active', {})] }, 'invalid_value'],
    [{ Operations: [replace('userName', '')] }, 'invalid_value'],
    [{ Operations: [replace('userName', ' "" ')] }, 'invalid_value'],
    [{ Operations: [replace('userName', true)] }, 'invalid_value'],
    [{ Operations: [replace('userName', { a: 'x' })] }, 'invalid_value'],
    [{ Operations: [replace('userName', ['a', 'b'])] }, 'invalid_value'],
    [{ Operations: [replace('userName', 'a\0b')] }, 'invalid_value'],
    [{ Operations: [replace('userName', '\ud800')] }, 'invalid_value'],
    [{ Operations: [replace('name', ['A', 'B'])] }, 'invalid_value'],
    [{ Operations: [replace('name', {})] }, 'invalid_value'],
    [{ Operations: [replace('userName', 'x'.repeat(256))] }, 'invalid_value'],
    [{ Operations: [replace('externalId', 'x'.repeat(256))] }, 'invalid_value'],
    [{ Operations: [replace('name.givenName', 'x'.repeat(256))] }, 'invalid_value'],
    [{ Operations: [replace('name', { givenName: ' ', familyName: '' })] }, 'invalid_value'],
    [{ Operations: [replace('emails.value', 'no address')] }, 'invalid_value'],
    [{ Operations: [replace('name.formatted', { formatted: { formatted: 'x' } })] }, 'invalid_value'],
    [{ Operations: [replace('emails', 7)] }, 'invalid_value'],
    [{ Operations: [replace('emails', ['x'])] }, 'invalid_value'],
    [{ Operations: [replace('emails', [{ type: 'work', value: 7 }])] }, 'invalid_value'],
    [{ Operations: [replace('emails[type eq "work"].value', '')] }, 'invalid_value'],
    [{ Operations: [replace('userName', deep)] }, 'invalid_value'],
  ])('%#: %j', (body, scimType) => {
    expect(patchErrorOf(body)).toBe(scimType)
  })

  test('rejects inherited properties and prototype names', () => {
    const value: unknown = JSON.parse('{"__proto__":{"active":false},"constructor":{"active":false},"toString":"x"}')
    expect(patchErrorOf({ Operations: [{ op: 'replace', value }] })).toBe('invalid_path')
    for (const path of ['__proto__', 'constructor', 'constructor.prototype', 'toString'])
      expect(patchErrorOf({ Operations: [replace(path, { active: false })] })).toBe('invalid_path')
    expect(Object.hasOwn(Object.prototype, 'active')).toBe(false)
    expect(patchErrorOf(Object.create({ Operations: [] }))).toBe('invalid_syntax')
  })

  test('parses or rejects any JSON', () => {
    const names = fc.constantFrom(
      'active',
      'userName',
      'name',
      'name.formatted',
      'emails',
      'emails[type eq "work"].value',
      'id',
      '__proto__',
    )
    const operation = fc.record(
      { op: fc.constantFrom('add', 'Replace', 'remove'), path: fc.option(names), value: fc.jsonValue() },
      { requiredKeys: [] },
    )
    const kinds = new Set<string | undefined>([undefined, ...scimReasons])
    fc.assert(fc.property(fc.jsonValue(), (body) => kinds.has(patchErrorOf(body))))
    fc.assert(fc.property(fc.array(operation), (Operations) => kinds.has(patchErrorOf({ Operations }))))
  })
})
