import { demoWithCode, type FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { createClient, hostileValues, type Options } from './client.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: demoWithCode, time: '2026-01-01T00:00:00Z' })
})
afterEach(() => forge.close())

const { post, send, data } = createClient(() => forge)

describe('queries', () => {
  test('the caller, users and the version', async () => {
    const me = '{ currentUser { id username name webUrl webPath commitEmail state __typename } }'
    expect(await data(me)).toEqual({ currentUser: null })
    const id = (await forge.host.users.get({ user: 'bob' })).id
    expect(await data(me, { as: 'bob' })).toEqual({
      currentUser: {
        id: `gid://gitlab/User/${id}`,
        username: 'bob',
        name: expect.any(String),
        webUrl: `${forge.url}/bob`,
        webPath: '/bob',
        commitEmail: expect.stringContaining('@'),
        state: 'active',
        __typename: 'CurrentUser',
      },
    })
    const user = 'query ($id: UserID, $name: String) { user(id: $id, username: $name) { username publicEmail } }'
    const carol = { user: { username: 'carol', publicEmail: null } }
    expect(await data(user, { as: 'bob', variables: { name: 'carol' } })).toEqual(carol)
    const { id: carolId } = await forge.host.users.get({ user: 'carol' })
    expect(await data(user, { as: 'bob', variables: { id: `gid://gitlab/User/${carolId}` } })).toEqual(carol)
    expect(await data(user, { as: 'bob', variables: { name: 'missing' } })).toEqual({ user: null })
    const users = '{ users(usernames: ["carol", "bob", "missing"]) { nodes { username } } metadata { version } }'
    expect(await data(users, { as: 'bob' })).toEqual({
      users: { nodes: [{ username: 'carol' }, { username: 'bob' }] },
      metadata: { version: expect.stringMatching(/^\d+\./) },
    })
    expect(await data('{ users(search: "bob") { count } }', { as: 'bob' })).toEqual({ users: { count: 1 } })
    expect(await data('{ echo(text: "Hi") }', { as: 'bob' })).toEqual({ echo: '"bob" says: Hi' })
  })

  test('a project with its issues, merge requests and members', async () => {
    const query = `query ($path: ID!) {
      project(fullPath: $path) {
        id fullPath httpUrlToRepo topics
        repository { exists empty rootRef }
        namespace { id fullPath }
        group { fullPath }
        issue(iid: "1") { iid title state author { username } labels { nodes { title color } } reference(full: true) }
        issues(state: opened, first: 1) { count nodes { iid } pageInfo { hasNextPage } }
        mergeRequest(iid: "1") { iid sourceBranch draft diffHeadSha notes { nodes { body } } }
        projectMembers(relations: [DIRECT, INHERITED]) { nodes { user { username } accessLevel { stringValue integerValue } } }
        labels(first: 1) { nodes { title } }
        milestones { count }
      }
    }`
    const { project } = await data(query, { as: 'alice', variables: { path: 'acme/web' } })
    const { id } = await forge.host.projects.get({ project: 'acme/web' })
    expect(project).toMatchObject({
      id: `gid://gitlab/Project/${id}`,
      fullPath: 'acme/web',
      httpUrlToRepo: `${forge.url}/acme/web.git`,
      topics: [],
      repository: { exists: true, empty: false, rootRef: 'main' },
      namespace: { fullPath: 'acme' },
      group: { fullPath: 'acme' },
      issue: { iid: '1', state: 'opened', reference: 'acme/web#1' },
      issues: { pageInfo: { hasNextPage: true } },
      mergeRequest: { iid: '1', sourceBranch: 'cache-home', diffHeadSha: expect.stringMatching(/^[0-9a-f]{40}$/) },
    })
    expect(project.projectMembers.nodes).toContainEqual({
      user: { username: 'alice' },
      accessLevel: { stringValue: 'OWNER', integerValue: 50 },
    })
    const { labels } = await forge.as('alice').issues.get({ project: 'acme/web', issue: 1 })
    expect(project.issue.labels.nodes.map(({ title }: { title: string }) => title)).toEqual(labels)
    expect(await data(query, { as: 'alice', variables: { path: 'acme/missing' } })).toEqual({ project: null })
  })

  test('members and subgroups of a group, as portals read them', async () => {
    const members = `query getGroupMembers($group: ID!, $relations: [GroupMemberRelation!], $endCursor: String) {
      group(fullPath: $group) {
        groupMembers(first: 2, relations: $relations, after: $endCursor) {
          nodes { user { id username name state webUrl avatarUrl } accessLevel { integerValue } }
          pageInfo { endCursor hasNextPage }
        }
      }
    }`
    const names: string[] = []
    let endCursor: string | null = null
    for (let more = true; more; ) {
      const { group } = await data(members, {
        as: 'alice',
        variables: { group: 'acme', relations: ['DIRECT'], endCursor },
      })
      names.push(...group.groupMembers.nodes.map(({ user }: { user: { username: string } }) => user.username))
      more = group.groupMembers.pageInfo.hasNextPage
      endCursor = group.groupMembers.pageInfo.endCursor
    }
    const { items } = await forge.as('alice').members.list({ group: 'acme' })
    expect(names).toEqual(items.map(({ username }) => username))
    const groups = `query listDescendantGroups($group: ID!, $endCursor: String) {
      group(fullPath: $group) {
        descendantGroups(first: 100, after: $endCursor) {
          nodes { id name description visibility fullPath parent { id } }
          pageInfo { endCursor hasNextPage }
        }
      }
    }`
    const acme = await forge.host.groups.get({ group: 'acme' })
    const { group } = await data(groups, { as: 'alice', variables: { group: 'acme' } })
    expect(group.descendantGroups.nodes).toMatchObject([
      { fullPath: 'acme/tools', parent: { id: `gid://gitlab/Group/${acme.id}` } },
    ])
  })

  test('pages of any size after any cursor contain each item once', async () => {
    const query = `query ($first: Int, $after: String) {
      project(fullPath: "acme/web") { labels(first: $first, after: $after) { edges { cursor node { title } } } }
    }`
    for (let at = 0; at < 12; at++)
      await forge.as('alice').labels.create({ project: 'acme/web', name: `more ${at}`, color: '#fff' })
    const { items } = await forge.as('alice').labels.list({ project: 'acme/web', perPage: 100 })
    const read = async (first: number, after?: string) =>
      (await data(query, { as: 'alice', variables: { first, after } })).project.labels.edges
    const titles: string[] = []
    let after: string | undefined
    for (const first of [1, 4, 3, 2, 100]) {
      const edges = await read(first, after)
      titles.push(...edges.map(({ node }: { node: { title: string } }) => node.title))
      after = edges.at(-1)?.cursor ?? after
    }
    expect(titles).toEqual(items.map(({ name }) => name))
    expect(await read(10, after)).toEqual([])
  })
})

describe('mutations', () => {
  test('create and change issues', async () => {
    const create = `mutation ($input: CreateIssueInput!) {
      createIssue(input: $input) { issue { iid title confidential assignees { nodes { username } } } errors clientMutationId }
    }`
    const { id } = await forge.host.users.get({ user: 'bob' })
    const input = {
      projectPath: 'acme/web',
      title: 'From GraphQL',
      assigneeIds: [`gid://gitlab/User/${id}`],
      clientMutationId: 'x',
    }
    const { createIssue } = await data(create, { as: 'bob', variables: { input } })
    const { iid } = createIssue.issue
    expect(createIssue).toEqual({
      issue: { iid, title: 'From GraphQL', confidential: false, assignees: { nodes: [{ username: 'bob' }] } },
      errors: [],
      clientMutationId: 'x',
    })
    const update = `mutation ($iid: String!) {
      updateIssue(input: { projectPath: "acme/web", iid: $iid, stateEvent: CLOSE }) { issue { state } errors }
    }`
    expect(await data(update, { as: 'bob', variables: { iid } })).toEqual({
      updateIssue: { issue: { state: 'closed' }, errors: [] },
    })
    const empty = await data(create, { as: 'bob', variables: { input: { ...input, title: '' } } })
    expect(empty.createIssue).toMatchObject({ issue: null, errors: [expect.stringContaining('title')] })
  })

  test('create and change merge requests', async () => {
    await forge.as('bob').branches.create({ project: 'acme/web', branch: 'topic', ref: 'cache-home' })
    const create = `mutation {
      mergeRequestCreate(input: { projectPath: "acme/web", title: "Topic", sourceBranch: "topic", targetBranch: "main" }) {
        mergeRequest { iid state } errors
      }
    }`
    const { mergeRequestCreate } = await data(create, { as: 'bob' })
    expect(mergeRequestCreate).toMatchObject({ mergeRequest: { state: 'opened' }, errors: [] })
    const { iid } = mergeRequestCreate.mergeRequest
    const update = `mutation ($iid: String!) {
      mergeRequestUpdate(input: { projectPath: "acme/web", iid: $iid, title: "Better", state: CLOSED }) {
        mergeRequest { title state } errors
      }
    }`
    expect(await data(update, { as: 'bob', variables: { iid } })).toEqual({
      mergeRequestUpdate: { mergeRequest: { title: 'Better', state: 'closed' }, errors: [] },
    })
    expect((await data(create, { as: 'bob' })).mergeRequestCreate.errors).toEqual([])
    const again = await data(create, { as: 'bob' })
    expect(again.mergeRequestCreate).toMatchObject({
      mergeRequest: null,
      errors: [expect.stringMatching(/already exists/)],
    })
  })
})

describe('permissions', () => {
  const project = '{ project(fullPath: "acme/web") { name projectMembers { count } } }'
  const createIssue =
    'mutation { createIssue(input: { projectPath: "acme/web", title: "x" }) { issue { iid } errors } }'
  const updateIssue =
    'mutation { updateIssue(input: { projectPath: "acme/web", iid: "1", title: "x" }) { issue { iid } errors } }'
  const createMergeRequest = `mutation { mergeRequestCreate(input: {
    projectPath: "acme/web", title: "x", sourceBranch: "main", targetBranch: "cache-home" }) { errors } }`

  test.each([
    ['public', undefined, { name: 'Web', projectMembers: null }],
    ['private', undefined, null],
    ['private', 'mallory', null],
    ['private', 'carol', { name: 'Web', projectMembers: { count: expect.any(Number) } }],
  ] as const)('a %s project for %s', async (visibility, as, expected) => {
    await forge.host.projects.update({ project: 'acme/web', visibility })
    const result = await data(project, as === undefined ? {} : { as })
    expect(result.project && { ...result.project, name: 'Web' }).toEqual(expected)
  })

  test.each([
    ['anonymous callers', undefined],
    ['users without access', 'mallory'],
  ])('%s change nothing, and learn nothing', async (_, as) => {
    await forge.host.projects.update({ project: 'acme/web', visibility: 'private' })
    for (const mutation of [createIssue, updateIssue, createMergeRequest]) {
      const { status, errors } = await send(mutation, as === undefined ? {} : { as })
      expect({ status, messages: errors.map(({ message }: { message: string }) => message) }).toEqual({
        status: 200,
        messages: [expect.stringMatching(/^The resource .* does not exist or you don't have permission/)],
      })
    }
    const missing = createIssue.replace('acme/web', 'acme/missing')
    const options = as === undefined ? {} : { as }
    expect(await send(missing, options)).toEqual(await send(createIssue, options))
  })

  test('tokens with fewer scopes read or do nothing', async () => {
    const tokenOf = async (scope: 'read_api' | 'read_user' | 'read_repository') =>
      (await forge.host.tokens.create({ user: 'bob', scopes: [scope] })).secret
    const reader = await tokenOf('read_api')
    expect((await send(project, { token: reader })).data.project).not.toBeNull()
    const { errors } = await send(createIssue, { token: reader })
    expect(errors[0].message).toMatch(/scopes do not permit/)
    expect((await send(project, { token: await tokenOf('read_user') })).errors[0].message).toMatch(/scopes/)
    expect((await send(project, { token: await tokenOf('read_repository') })).status).toBe(403)
    expect(await send(project, { token: 'unknown' })).toEqual({ status: 401, errors: [{ message: 'Invalid token' }] })
    await forge.host.users.block({ user: 'bob' })
    expect((await send(project, { as: 'bob' })).status).toBe(403)
  })
})

describe('limits', () => {
  const messageOf = async (query: string, options: Options = {}) => (await send(query, options)).errors?.[0].message

  test('depth, size, fields and calls are limited', async () => {
    const nested = (depth: number): string => (depth === 0 ? 'id' : `parent { ${nested(depth - 1)} }`)
    const group = (selection: string) => `{ group(fullPath: "acme") { ${selection} } }`
    expect(await messageOf(group(nested(18)))).toBeUndefined()
    expect(await messageOf(group(nested(20)))).toBe('Query has depth of more than 20')
    expect(await messageOf(`{ ${'metadata { version } '.repeat(600)} }`)).toMatch(/^Query too large/)
    expect(await messageOf(`{ ${'a '.repeat(1_600)} }`)).toMatch(/more than 1500 tokens/)
    const projects = (first: string) => `projects(first: ${first}) { nodes { issues(first: 3) { count } } }`
    expect(await messageOf(`{ ${projects('100')} }`)).toBeUndefined()
    expect(await messageOf(`{ a: ${projects('100')} b: ${projects('100')} c: ${projects('100')} }`)).toMatch(
      /^Query calls more than 250 operations/,
    )
    const variable = `query ($n: Int) { a: ${projects('$n')} b: ${projects('$n')} c: ${projects('$n')} }`
    expect(await messageOf(variable, { variables: { n: 10 } })).toBeUndefined()
    expect(await messageOf(variable)).toMatch(/^Query calls more than 250 operations/)
    const lookups =
      'query ($names: [String!]) { a: users(usernames: $names) { count } b: users(usernames: $names) { count } }'
    const names = (count: number) => ({ variables: { names: Array.from({ length: count }, (_, at) => `user${at}`) } })
    expect(await messageOf(lookups, { as: 'bob', ...names(100) })).toBeUndefined()
    const thrice = lookups.replace('{ a:', '{ c: users(usernames: $names) { count } a:')
    expect(await messageOf(thrice, { as: 'bob', ...names(100) })).toMatch(/^Query calls more than 250 operations/)
    // The default value of a variable counts like a value that the client sends, and only where it sends none.
    const defaults = JSON.stringify(names(100).variables.names)
    const withDefault = thrice.replace('[String!])', `[String!] = ${defaults})`)
    expect(await messageOf(withDefault, { as: 'bob' })).toMatch(/^Query calls more than 250 operations/)
    expect(await messageOf(withDefault, { as: 'bob', ...names(2) })).toBeUndefined()
    const defaultCount = variable.replace('$n: Int', '$n: Int = 100')
    expect(await messageOf(defaultCount)).toMatch(/^Query calls more than 250 operations/)
    expect(await messageOf(defaultCount, { variables: { n: 10 } })).toBeUndefined()
    const tree = Array.from({ length: 26 }, (_, at) => `t${at}: tree { lastCommit { sha } }`).join(' ')
    expect(await messageOf(`{ project(fullPath: "acme/web") { repository { ${tree} } } }`)).toMatch(/more than 250/)
    const bomb = Array.from({ length: 30 }, (_, at) => `fragment f${at} on Group { ...f${at + 1} ...f${at + 1} }`)
    expect(await messageOf(`${group('...f0')} ${bomb.join(' ')} fragment f30 on Group { name }`)).toBe(
      'Query has more than 2000 fields',
    )
  })

  test('invalid requests receive an explanation', async () => {
    expect(await messageOf('{')).toMatch(/^Syntax Error/)
    expect(await messageOf('{ nothing }')).toMatch(/Cannot query field "nothing"/)
    expect(await messageOf('query ($id: ID!) { project(fullPath: $id) { id } }')).toMatch(/\$id/)
    expect(await messageOf('{ user { id } }', { as: 'bob' })).toBe('Provide either a username or an id')
    expect(await messageOf('{ user(id: "7") { id } }', { as: 'bob' })).toBe('"7" is not a global id')
    expect(await messageOf('{ groups(after: "x") { count } }')).toBe('The cursor is not valid')
    expect(await messageOf('query a { echo(text: "") } query b { echo(text: "") }')).toMatch(/operation name/)
    const named = { operationName: 'b' }
    expect((await send('query a { echo(text: "1") } query b { echo(text: "2") }', named)).data).toEqual({
      echo: 'null says: 2',
    })
    const statusOf = async (...args: Parameters<typeof post>) => (await post(...args)).status
    expect(await statusOf('')).toBe(400)
    expect(await statusOf('{')).toBe(400)
    expect(await statusOf({ query: 7 })).toBe(400)
    expect(await statusOf({ query: '{ echo(text: "") }', variables: [] })).toBe(400)
    expect(await statusOf('query=x', undefined, { 'Content-Type': 'application/x-www-form-urlencoded' })).toBe(415)
    expect(await statusOf({ query: '{ echo(text: "") }', padding: 'x'.repeat(1024 * 1024) })).toBe(413)
    expect((await forge.fetch('/api/graphql')).status).toBe(405)
    const preflight = await forge.fetch('/api/graphql', { method: 'OPTIONS', headers: { Origin: 'https://a.example' } })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      expect.stringContaining('POST'),
    ])
  })

  test('hostile values in arguments cause no failure', async () => {
    const query = `query ($text: String!, $id: ID!) {
      user(username: $text) { id }
      users(usernames: [$text]) { count }
      project(fullPath: $id) { id }
      group(fullPath: $id) { id }
      projects(search: $text, after: $text) { count }
      web: project(fullPath: "acme/web") {
        issue(iid: $text) { id }
        issues(search: $text, labelName: [$text], authorUsername: $text, iids: [$text]) { count }
        mergeRequests(sourceBranches: [$text], assigneeUsername: $text) { count }
        projectMembers(search: $text) { count }
      }
    }`
    for (const value of hostileValues) {
      const { status } = await send(query, { as: 'bob', variables: { text: value, id: value } })
      expect([200, 400], value.slice(0, 20)).toContain(status)
    }
    for (const first of [-1, 0, 101, 2 ** 31 - 1]) {
      const { status } = await send('query ($n: Int) { groups(first: $n) { count nodes { id } } }', {
        variables: { n: first },
      })
      expect(status).toBe(200)
    }
  })
})
