import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { currentUserId, namespace, note, project } from '../../../../test/reference/example-rows.ts'
import { examples } from '../../../../test/reference/subjects.ts'
import type { Subjects } from '../contract/subjects.ts'
import { type Actor, anonymous, type UserActor } from '../kernel/actor.ts'
import type { Context } from '../kernel/context.ts'
import { notFound } from '../kernel/errors.ts'
import type { Operation, SubjectLoader } from '../kernel/operation.ts'
import { assertAuthenticated, assertTokenScope, authorize, hasAbility } from './authorize.ts'
import { oneOf, within } from './compose-subjects.ts'
import {
  issueReaders,
  labelPromoters,
  namespaceReaders,
  noteEditors,
  noteResolvers,
  scimTokens,
  snippetReaders,
} from './rules.ts'
import { loadIfVisible, loadVisible } from './visible.ts'

const user: UserActor = {
  kind: 'user',
  id: currentUserId,
  username: 'alice',
  name: 'Alice',
  admin: false,
  external: false,
  bot: false,
  scopes: null,
}
const scim: Actor = { kind: 'scim', groupId: namespace.id }
const host: Actor = { kind: 'system', reason: 'test' }

/** The parts of an operation that the checks read. */
const operation = (kinds: Operation['kinds'], can: string, more: Partial<Operation> = {}) =>
  ({ kinds, can, scopes: [], scopesByKind: {}, allowsReadScope: true, ...more }) as Operation

const failure = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    const { code, message, scopes } = error as { code: string; message: string; scopes?: unknown }
    return scopes === undefined ? [code, message] : [code, message, scopes]
  }
}

const publicProject: Subjects['project'] = { kind: 'project', project, access: 0 }
const privateProject: Subjects['project'] = { ...publicProject, project: { ...project, visibility: 'private' } }

describe('anonymous callers', () => {
  const required = ['unauthenticated', 'Authentication required']

  test('are rejected before the subject is loaded if no rule can allow them', () => {
    expect(failure(() => assertAuthenticated(operation(['project'], 'label.manage'), {}))).toEqual(required)
    expect(failure(() => assertAuthenticated(operation(['project'], 'label.read'), {}))).toBeUndefined()
  })

  test('continue if the rule of one kind of subject can allow them', () => {
    expect(failure(() => assertAuthenticated(operation(['epic', 'issue'], 'todo.create'), {}))).toEqual(required)
    expect(
      failure(() => assertAuthenticated(operation(['instance', 'project'], 'markdown.render'), {})),
    ).toBeUndefined()
    expect(failure(() => assertAuthenticated(operation(['group', 'instance'], 'group.create'), {}))).toEqual(required)
    expect(failure(() => assertAuthenticated(operation(['project', 'user'], 'event.list'), {}))).toBeUndefined()
  })

  test('continue only if the rule of the kind that the input selects can allow them', () => {
    const list = operation(['currentUser', 'project'], 'snippet.list', {
      kindOf: ({ project }) => (project === undefined ? 'currentUser' : 'project'),
    })
    for (const input of [undefined, 'acme/web', {}, { perPage: 0 }]) {
      expect(failure(() => assertAuthenticated(list, input))).toEqual(required)
    }
    expect(failure(() => assertAuthenticated(list, { project: 0 }))).toBeUndefined()
  })

  test('have to sign in where others may lack the permission', () => {
    expect(failure(() => authorize(anonymous, operation(['project'], 'label.manage'), publicProject))).toEqual(required)
    expect(failure(() => authorize(user, operation(['project'], 'label.manage'), publicProject))).toEqual([
      'forbidden',
      'Only for reporters and above, while the project or group is not archived',
    ])
  })
})

test('an invisible subject is not found, before the permission is checked', () => {
  const manage = operation(['project'], 'label.manage')
  for (const actor of [anonymous, user]) {
    expect(failure(() => authorize(actor, manage, privateProject))).toEqual(['not_found', 'Project was not found'])
  }
  expect(failure(() => authorize(user, manage, { ...privateProject, access: 20 }))).toBeUndefined()
  expect(failure(() => authorize(host, manage, privateProject))).toBeUndefined()
})

test('hasAbility asks for one ability of the subject', () => {
  expect(hasAbility(user, publicProject, 'label.read')).toBe(true)
  expect(hasAbility(user, publicProject, 'label.manage')).toBe(false)
})

describe('scopes', () => {
  const withScopes = (...scopes: NonNullable<UserActor['scopes']>): Actor => ({ ...user, scopes })
  const read = operation(['project'], 'label.read')
  const write = operation(['project'], 'label.manage', { allowsReadScope: false })
  const narrow = operation(['project'], 'code.read', { scopes: ['read_repository'] })
  const rejected = (...scopes: string[]) => [
    'insufficient_scope',
    "The token's scopes do not permit this operation",
    scopes,
  ]
  const check = (actor: Actor, on: Operation, input: unknown = {}) => failure(() => assertTokenScope(actor, on, input))

  test('can be sufficient for calls about the current user only', () => {
    const own = operation(['currentUser', 'user'], 'email.manage', {
      scopesByKind: { currentUser: ['read_user'] },
      kindOf: ({ user }) => (user === undefined ? 'currentUser' : 'user'),
    })
    expect(check(withScopes('read_user'), own)).toBeUndefined()
    expect(check(withScopes('read_user'), own, { user: undefined })).toBeUndefined()
    expect(check(withScopes('read_user'), own, { user: 1 })).toEqual(rejected('api', 'read_api'))
    expect(check(withScopes(), own)).toEqual(rejected('read_user', 'api', 'read_api'))
  })

  test('do not limit callers without a token', () => {
    for (const actor of [user, host, anonymous]) expect(check(actor, write)).toBeUndefined()
  })

  test('permit what they name, and api permits all', () => {
    expect(check(withScopes('api'), write)).toBeUndefined()
    expect(check(withScopes('read_api'), read)).toBeUndefined()
    expect(check(withScopes('read_user', 'read_api'), read)).toBeUndefined()
    expect(check(withScopes('read_repository'), narrow)).toBeUndefined()
  })

  test('reject all other operations, and name the sufficient scopes', () => {
    expect(check(withScopes('read_api'), write)).toEqual(rejected('api'))
    expect(check(withScopes('read_user', 'sudo'), read)).toEqual(rejected('api', 'read_api'))
    expect(check(withScopes('read_user'), narrow)).toEqual(rejected('read_repository', 'api', 'read_api'))
    expect(check(withScopes(), write)).toEqual(rejected('api'))
  })

  test('a SCIM token is limited to the SCIM API', () => {
    expect(check(scim, read)).toEqual(['forbidden', 'SCIM tokens can only access the SCIM API'])
    expect(check(scim, operation(['scimGroup'], 'scim.provision'))).toBeUndefined()
  })
})

describe('rules', () => {
  test('a SCIM token provisions its own group only', () => {
    const group = examples.scimGroup.usual('public', 0)
    expect(scimTokens.allows({ kind: 'scim', groupId: group.group.id }, group)).toBe(true)
    expect(scimTokens.allows({ kind: 'scim', groupId: group.group.id + 1 }, group)).toBe(false)
    expect(scimTokens.allows({ ...user, groupId: group.group.id } as Actor, group)).toBe(false)
    expect(scimTokens.allows(host, group)).toBe(true)
  })

  test('namespaces of users are visible, private groups are not', () => {
    const on = examples.namespace.usual('private', 0)
    expect(namespaceReaders.allows(user, on)).toBe(false)
    expect(namespaceReaders.allows(user, { ...on, namespace: { ...on.namespace, kind: 'user' } })).toBe(true)
  })

  test('only users can be authors', () => {
    const authored = { ...examples.issue.usual('public', 10) }
    const confidential = { ...authored, access: 0, issue: { ...authored.issue, confidential: true, authorId: 0 } }
    expect(issueReaders.allows({ kind: 'anonymous', id: 0 } as Actor, confidential)).toBe(false)
    const snippet = examples.snippet.usual('private', 0)
    const own = { ...snippet, project: null, snippet: { ...snippet.snippet, authorId: currentUserId } }
    expect(snippetReaders.allows(user, own)).toBe(true)
    expect(snippetReaders.allows({ ...user, id: currentUserId + 10 }, own)).toBe(false)
    expect(snippetReaders.allows({ kind: 'anonymous', id: currentUserId } as Actor, own)).toBe(false)
  })

  test('labels are promoted by reporters of the project and of its group', () => {
    const promotes = (access: number, groupAccess?: number) =>
      labelPromoters.allows(user, { ...publicProject, access, ...(groupAccess !== undefined && { groupAccess }) })
    expect(promotes(20)).toBe(true)
    expect(promotes(10)).toBe(false)
    expect(promotes(20, 20)).toBe(true)
    expect(promotes(20, 10)).toBe(false)
    expect(promotes(10, 20)).toBe(false)
  })

  test('notes of epics are edited, and only discussions of merge requests are resolved', () => {
    const own = { ...note, authorId: currentUserId, system: false }
    const onEpic: Subjects['note'] = {
      kind: 'note',
      note: own,
      noteable: examples.epic.usual('public', 10),
      access: 10,
    }
    expect(noteEditors.allows(user, onEpic)).toBe(true)
    expect(noteResolvers.allows(user, { ...onEpic, access: 50 })).toBe(false)
    const mergeRequest = examples.mergeRequest.usual('public', 30)
    expect(noteResolvers.allows(user, { ...onEpic, noteable: mergeRequest, access: 30 })).toBe(true)
    const issue = examples.issue.usual('public', 50)
    expect(noteResolvers.allows(user, { ...onEpic, noteable: issue, access: 50 })).toBe(false)
    const archived = { ...issue, project: { ...project, archived: true } }
    expect(hasAbility(user, { ...onEpic, noteable: issue, access: 50 }, 'note.update')).toBe(true)
    expect(hasAbility(user, { ...onEpic, noteable: archived, access: 50 }, 'note.update')).toBe(false)
  })
})

describe('composed subjects', () => {
  const ctx = { actor: user, assertAuthorized: () => undefined } as unknown as Context
  const entries = { project: v.string() }
  const inProject: SubjectLoader<'project', typeof entries> = {
    kinds: ['project'],
    entries,
    load: (_, { project: path }) =>
      path === 'private' ? privateProject : { ...publicProject, access: path === 'own' ? 50 : 0 },
  }
  const issueOf = within(inProject, 'issue', { issue: v.number() }, (_, parent, { issue }) =>
    issue === 1 ? { ...examples.issue.usual('public', parent.access) } : undefined,
  )
  const mergeRequestOf = within(inProject, 'mergeRequest', { mergeRequest: v.number() }, (_, parent) =>
    examples.mergeRequest.usual('public', parent.access),
  )
  const either = oneOf(issueOf, mergeRequestOf)
  const load = async (reference: object) => either.load(ctx, reference as never)

  test('load the subject that the reference names', async () => {
    expect(issueOf.kinds).toEqual(['issue'])
    expect(issueOf).toMatchObject({ parent: 'project', field: 'issue' })
    expect(either.kinds).toEqual(['issue', 'mergeRequest'])
    expect(await load({ project: 'own', issue: 1 })).toMatchObject({ kind: 'issue', access: 50 })
    expect(await load({ project: 'own', mergeRequest: 1 })).toMatchObject({ kind: 'mergeRequest' })
  })

  test('are not found without a visible parent or the subject itself', async () => {
    await expect(load({ project: 'private', issue: 1 })).rejects.toMatchObject({ message: 'Project was not found' })
    await expect(load({ project: 'own', issue: 2 })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('require exactly one subject and its parent', () => {
    const problems = (reference: object) =>
      either.rules?.flatMap((rule) => rule(reference as never) ?? []).map(({ fields, message }) => [...fields, message])
    expect(problems({ project: 'own', issue: 1 })).toEqual([])
    expect(problems({ project: 'own' })).toHaveLength(1)
    expect(problems({ project: 'own', issue: 1, mergeRequest: 1 })).toHaveLength(1)
    expect(problems({ issue: 1 })).toContainEqual(['project', 'is missing'])
  })

  test('can be optional', async () => {
    expect(await loadIfVisible(ctx, issueOf, { project: 'own', issue: 1 })).toMatchObject({ kind: 'issue' })
    expect(await loadIfVisible(ctx, issueOf, { project: 'private', issue: 1 })).toBeUndefined()
    const failing = (error: Error): typeof inProject => ({
      ...inProject,
      load: () => {
        throw error
      },
    })
    expect(await loadIfVisible(ctx, failing(notFound('Issue')), { project: 'own' })).toBeUndefined()
    await expect(loadIfVisible(ctx, failing(new TypeError('broken')), { project: 'own' })).rejects.toThrow('broken')
    const unrelated = Object.assign(new Error('no such host'), { code: 'not_found' })
    await expect(loadIfVisible(ctx, failing(unrelated), { project: 'own' })).rejects.toThrow('no such host')
    await expect(loadVisible(ctx, inProject, { project: 'private' })).rejects.toThrow('Project was not found')
  })
})
