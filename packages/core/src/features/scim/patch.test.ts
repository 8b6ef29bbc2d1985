import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPlatformError } from '../../kernel/errors.ts'
import { parseScimPatch } from './patch.ts'

const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']

const change = (...operations: unknown[]) => parseScimPatch({ schemas, Operations: operations })

const patchErrorOf = (body: unknown) => {
  try {
    parseScimPatch(body)
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
    expect(change({ op: 'replace', value: { id: '23a35c27', active: true } })).toEqual({
      externalUid: '23a35c27',
      active: true,
    })
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

  test('ignores unsupported attributes', () => {
    expect(
      change(
        replace('title', 'Boss'),
        replace('preferredLanguage', 'de'),
        replace('addresses[type eq "work"].country', 'DE'),
        replace('phoneNumbers[type eq "mobile"].value', '1'),
        replace('emails[type eq "home"].value', 'home@example.com'),
        replace('roles[primary eq "True"].value', 'x'),
        replace('urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', 'x'),
      ),
    ).toEqual({})
  })
})

describe('operations', () => {
  test.each(['add', 'Add', 'ADD', 'replace', 'Replace', ' rePLace '])('accepts %j', (op) => {
    expect(change({ op, path: 'userName', value: 'ann' })).toEqual({ username: 'ann' })
  })

  test.each(['remove', 'Remove', 'move', 'copy', ''])('ignores %j', (op) => {
    expect(change({ op, path: 'userName', value: 'ann' }, { op, path: 'active' })).toEqual({})
  })

  test('may be empty', () => {
    expect(change()).toEqual({})
  })

  test('on the same field: the last one wins', () => {
    expect(
      change(replace('active', false), replace('userName', 'ann'), replace('active', true), replace('USERNAME', 'bob')),
    ).toEqual({
      active: true,
      username: 'bob',
    })
  })

  test('have case-insensitive member names', () => {
    expect(parseScimPatch({ operations: [{ OP: 'replace', Path: 'id', VALUE: 'x' }] })).toEqual({ externalUid: 'x' })
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
    ['name', { formatted: 'Ann Lee', familyName: 'Other' }, { name: 'Ann Lee' }],
    ['name', { givenName: 'Ann', familyName: 'Lee' }, { name: 'Ann Lee' }],
    ['name', { FamilyName: 'Lee', GivenName: 'Ann' }, { name: 'Ann Lee' }],
    ['name', 'Ann Lee', { name: 'Ann Lee' }],
    ['name', { givenName: 'Ann', familyName: '' }, {}],
    ['name', { honorificPrefix: 'Dr' }, {}],
    ['name.givenName', 'Ann', {}],
    ['name.familyName', 'Lee', {}],
    ['active', true, { active: true }],
    ['active', false, { active: false }],
    ['Active', 'True', { active: true }],
    ['active', 'false', { active: false }],
    ['active', '"FALSE"', { active: false }],
    ['active', { value: 'False' }, { active: false }],
    ['active', [{ value: false }], { active: false }],
    ['active', null, {}],
    ['displayName', null, {}],
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
    ['emails', [home]],
    ['emails', []],
    ['emails', [home, { value: 'x@example.com' }]],
    ['emails', [{ type: 'work' }]],
    ['emails[type eq "work"].primary', true],
    ['emails[type eq "work"].type', 'work'],
    ['emails[type ne "home"].value', 'w@example.com'],
    ['emails[type eq "work" or primary eq true].value', 'w@example.com'],
    ['emails[].value', 'w@example.com'],
  ])('ignores other e-mail addresses: %s %j', (path, value) => {
    expect(change(replace(path, value))).toEqual({})
  })
})

describe('invalid requests', () => {
  const deep = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`)

  test.each([
    [undefined, 'invalidSyntax'],
    [null, 'invalidSyntax'],
    ['text', 'invalidSyntax'],
    [[], 'invalidSyntax'],
    [{}, 'invalidSyntax'],
    [{ Operations: {} }, 'invalidSyntax'],
    [{ Operations: 'x' }, 'invalidSyntax'],
    [{ Operations: [null] }, 'invalidSyntax'],
    [{ Operations: ['x'] }, 'invalidSyntax'],
    [{ Operations: [[]] }, 'invalidSyntax'],
    [{ Operations: [{}] }, 'invalidSyntax'],
    [{ Operations: [{ op: 1, path: 'active', value: true }] }, 'invalidSyntax'],
    [{ Operations: Array(1001).fill(replace('active', true)) }, 'invalidSyntax'],
    [{ Operations: [{ op: 'replace', path: 'active' }] }, 'invalidValue'],
    [{ Operations: [{ op: 'replace' }] }, 'invalidValue'],
    [{ Operations: [{ op: 'replace', value: 'x' }] }, 'invalidValue'],
    [{ Operations: [{ op: 'replace', value: [{ active: true }] }] }, 'invalidValue'],
    [{ Operations: [{ op: 'replace', value: null }] }, 'invalidValue'],
    [{ Operations: [{ op: 'replace', path: 1, value: true }] }, 'invalidPath'],
    [{ Operations: [{ op: 'replace', path: {}, value: true }] }, 'invalidPath'],
    [{ Operations: [replace('emails[type eq "work".value', 'x')] }, 'invalidPath'],
    [{ Operations: [replace('emails]type eq "work"[', 'x')] }, 'invalidPath'],
    [{ Operations: [replace('[type eq "work"].value', 'x')] }, 'invalidPath'],
    [{ Operations: [replace('emails[type eq "work"]value', 'x')] }, 'invalidPath'],
    [{ Operations: [{ op: 'replace', value: { 'emails[': 'x' } }] }, 'invalidPath'],
    [{ Operations: [replace('active', 'maybe')] }, 'invalidValue'],
    [{ Operations: [replace('active', 1)] }, 'invalidValue'],
    [{ Operations: [replace('active', [true, false])] }, 'invalidValue'],
    [{ Operations: [replace('active', {})] }, 'invalidValue'],
    [{ Operations: [replace('userName', '')] }, 'invalidValue'],
    [{ Operations: [replace('userName', ' "" ')] }, 'invalidValue'],
    [{ Operations: [replace('userName', true)] }, 'invalidValue'],
    [{ Operations: [replace('userName', { a: 'x' })] }, 'invalidValue'],
    [{ Operations: [replace('userName', ['a', 'b'])] }, 'invalidValue'],
    [{ Operations: [replace('userName', 'a\0b')] }, 'invalidValue'],
    [{ Operations: [replace('userName', '\ud800')] }, 'invalidValue'],
    [{ Operations: [replace('name', [])] }, 'invalidValue'],
    [{ Operations: [replace('name.formatted', { formatted: { formatted: 'x' } })] }, 'invalidValue'],
    [{ Operations: [replace('emails', 7)] }, 'invalidValue'],
    [{ Operations: [replace('emails', ['x'])] }, 'invalidValue'],
    [{ Operations: [replace('emails', [{ type: 'work', value: 7 }])] }, 'invalidValue'],
    [{ Operations: [replace('emails[type eq "work"].value', '')] }, 'invalidValue'],
    [{ Operations: [replace('userName', deep)] }, 'invalidValue'],
  ])('%#: %j', (body, scimType) => {
    expect(patchErrorOf(body)).toBe(scimType)
  })

  test('ignores inherited properties and prototype names', () => {
    const value: unknown = JSON.parse('{"__proto__":{"active":false},"constructor":{"active":false},"toString":"x"}')
    expect(change({ op: 'replace', value })).toEqual({})
    expect(change(replace('__proto__', { active: false }), replace('constructor.prototype', 'x'))).toEqual({})
    expect(Object.hasOwn(Object.prototype, 'active')).toBe(false)
    expect(patchErrorOf(Object.create({ Operations: [] }))).toBe('invalidSyntax')
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
    const kinds = new Set([undefined, 'invalidSyntax', 'invalidPath', 'invalidValue'])
    fc.assert(fc.property(fc.jsonValue(), (body) => kinds.has(patchErrorOf(body))))
    fc.assert(fc.property(fc.array(operation), (Operations) => kinds.has(patchErrorOf({ Operations }))))
  })
})
