import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSshKey } from '../contract/ssh-keys.ts'
import { firstDocument, normalizeRoute, secondDocument } from '../coverage/documented-routes.ts'
import { world } from '../sqlite-world.ts'
import { stored } from '../stored.ts'

/**
 * Calls every documented route with the most used JavaScript client over a socket. Each route is in exactly one of two tables:
 * `calls` contains the client's call, `unsupported` the reason why the client has none.
 */

let forge: FakeForge
let ids: Record<string, number>
let project: number
let group: number
let count = 0
/** A unique name. */
const uniqueName = (word: string) => `${word}-${++count}`
const by = (user: string) => new Gitlab({ host: forge.url, token: forge.tokens[user] as string })

beforeAll(async () => {
  forge = await world({ port: 0, seed: demoWithCode })
  const { items } = await forge.host.users.list({ perPage: 100 })
  ids = Object.fromEntries(items.map(({ id, username }) => [username, id]))
  project = (await forge.host.projects.get({ project: 'acme/web' })).id
  group = (await forge.host.groups.get({ group: 'acme' })).id
  await forge.host.errorTracking.set({
    project,
    projectName: 'Web',
    trackerExternalUrl: 'https://errors.example.com',
    apiUrl: 'https://errors.example.com/api',
  })
})
afterAll(() => forge.close())

type Call = () => Promise<unknown>
type Calls = Readonly<Record<string, Call>>

const idOf = async (created: Promise<{ readonly id: number }>) => (await created).id
const id = (name: string) => ids[name] as number

const newUser = () => idOf(forge.host.users.create({ username: uniqueName('user') }))

/** The five note calls of one kind of noteable. */
const noteCallsOf = (
  base: string,
  target: () => Promise<{ noteable: number; note: () => Promise<number> }>,
  api: () => Notes,
): Calls => ({
  [`GET ${base}`]: async () => api().all((await target()).noteable),
  [`GET ${base}/:note_id`]: async () => {
    const { noteable, note } = await target()
    return api().show(noteable, await note())
  },
  [`POST ${base}`]: async () => api().create((await target()).noteable, 'Hello'),
  [`PUT ${base}/:note_id`]: async () => {
    const { noteable, note } = await target()
    return api().edit(noteable, await note(), { body: 'Better' })
  },
  [`DELETE ${base}/:note_id`]: async () => {
    const { noteable, note } = await target()
    return api().remove(noteable, await note())
  },
})

interface Notes {
  all(noteable: number): Promise<unknown>
  show(noteable: number, note: number): Promise<unknown>
  create(noteable: number, body: string): Promise<unknown>
  edit(noteable: number, note: number, change: { body: string }): Promise<unknown>
  remove(noteable: number, note: number): Promise<unknown>
}

/** A note resource of the client, for one project or group. */
const notesIn = (resource: unknown, parent: string): Notes => {
  const api = resource as Record<keyof Notes, (...args: unknown[]) => Promise<unknown>>
  return {
    all: (...args) => api.all(parent, ...args),
    show: (...args) => api.show(parent, ...args),
    create: (...args) => api.create(parent, ...args),
    edit: (...args) => api.edit(parent, ...args),
    remove: (...args) => api.remove(parent, ...args),
  }
}

const noteCalls: Calls = {
  ...noteCallsOf(
    '/projects/:id/issues/:issue_iid/notes',
    async () => ({
      noteable: 1,
      note: () => idOf(stored(forge.as('bob').notes.create({ project, issue: 1, body: 'x' }))),
    }),
    () => notesIn(by('bob').IssueNotes, 'acme/web'),
  ),
  ...noteCallsOf(
    '/projects/:id/merge_requests/:merge_request_iid/notes',
    async () => ({
      noteable: 1,
      note: () => idOf(stored(forge.as('bob').notes.create({ project, mergeRequest: 1, body: 'x' }))),
    }),
    () => notesIn(by('bob').MergeRequestNotes, 'acme/web'),
  ),
  ...noteCallsOf(
    '/projects/:id/snippets/:snippet_id/notes',
    async () => {
      const input = { project, title: 'x', fileName: 'x', content: 'x', visibility: 'public' } as const
      const snippet = await idOf(forge.as('carol').snippets.create(input))
      return {
        noteable: snippet,
        note: () => idOf(stored(forge.as('bob').notes.create({ project, snippet, body: 'x' }))),
      }
    },
    () => notesIn(by('bob').ProjectSnippetNotes, 'acme/web'),
  ),
  ...noteCallsOf(
    '/groups/:id/epics/:epic_id/notes',
    async () => {
      const epic = await idOf(forge.as('alice').epics.create({ group, title: 'x' }))
      return {
        noteable: epic,
        note: () => idOf(stored(forge.as('bob').notes.create({ group, epicId: epic, body: 'x' }))),
      }
    },
    () => notesIn(by('bob').EpicNotes, 'acme'),
  ),
}

const newTodo = async () => {
  const issue = (await forge.host.issues.create({ project, title: uniqueName('issue'), author: 'bob' })).iid
  return (await forge.as('bob').todos.create({ project, issue })).todo.id
}

const newLabel = async () => {
  const name = uniqueName('label')
  await forge.host.labels.create({ project, name, color: 'red' })
  return name
}

const createRequester = async (target: { project: number } | { group: number }) => {
  const user = await newUser()
  await forge.as(user).accessRequests.create(target as { project: number })
  return user
}

const createMember = async (target: { project: number } | { group: number }) => {
  const user = await newUser()
  await forge.host.members.add({ ...(target as { project: number }), users: [user], accessLevel: 20 })
  return user
}

const createSyncedMember = async () => {
  const user = await createMember({ group })
  await forge.host.members.sync({ group, user, accessLevel: 20 })
  return user
}

const memberCalls: Calls = Object.fromEntries(
  (['projects', 'groups'] as const).flatMap((kind): [string, Call][] => {
    const base = `/${kind}/:id`
    const parent = kind === 'projects' ? 'acme/web' : 'acme'
    const target = () => (kind === 'projects' ? { project } : { group })
    const members = () => (kind === 'projects' ? by('alice').ProjectMembers : by('alice').GroupMembers)
    const requests = (user = 'alice') =>
      kind === 'projects' ? by(user).ProjectAccessRequests : by(user).GroupAccessRequests
    const settings = () => by('bob').NotificationSettings
    const scope = kind === 'projects' ? { projectId: parent } : { groupId: parent }
    return [
      [`GET ${base}/members`, () => members().all(parent)],
      [`GET ${base}/members/all`, () => members().all(parent, { includeInherited: true })],
      [`GET ${base}/members/:user_id`, async () => members().show(parent, await createMember(target()))],
      [`GET ${base}/members/all/:user_id`, () => members().show(parent, id('bob'), { includeInherited: true })],
      [`POST ${base}/members`, async () => members().add(parent, 20, { userId: await newUser() })],
      [`PUT ${base}/members/:user_id`, async () => members().edit(parent, await createMember(target()), 30)],
      [`DELETE ${base}/members/:user_id`, async () => members().remove(parent, await createMember(target()))],
      [`GET ${base}/access_requests`, () => requests().all(parent)],
      [`POST ${base}/access_requests`, () => requests('mallory').request(parent)],
      [
        `PUT ${base}/access_requests/:user_id/approve`,
        async () => requests().approve(parent, await createRequester(target())),
      ],
      [`DELETE ${base}/access_requests/:user_id`, async () => requests().deny(parent, await createRequester(target()))],
      [`GET ${base}/notification_settings`, () => settings().show(scope)],
      [`PUT ${base}/notification_settings`, () => settings().edit({ ...scope, level: 'watch' as never })],
    ]
  }),
)

const attributeCalls: Calls = Object.fromEntries(
  (['users', 'groups', 'projects'] as const).flatMap((kind): [string, Call][] => {
    const base = `/${kind}/:id/custom_attributes`
    const ownerId = () => ({ users: id('bob'), groups: group, projects: project })[kind]
    const api = () => {
      const { UserCustomAttributes, GroupCustomAttributes, ProjectCustomAttributes } = by('root')
      return { users: UserCustomAttributes, groups: GroupCustomAttributes, projects: ProjectCustomAttributes }[kind]
    }
    const createKey = async () => {
      const key = uniqueName('key')
      const owner = { users: { user: ownerId() }, groups: { group: ownerId() }, projects: { project: ownerId() } }[kind]
      await forge.host.customAttributes.set({ ...(owner as { user: number }), key, value: 'x' })
      return key
    }
    return [
      [`GET ${base}`, () => api().all(ownerId())],
      [`GET ${base}/:key`, async () => api().show(ownerId(), await createKey())],
      [`PUT ${base}/:key`, () => api().set(ownerId(), uniqueName('key'), 'x')],
      [`DELETE ${base}/:key`, async () => api().remove(ownerId(), await createKey())],
    ]
  }),
)

const firstCalls: Calls = {
  ...noteCalls,
  ...memberCalls,
  ...attributeCalls,
  'POST /markdown': () => by('bob').Markdown.render('*x* #1', { gfm: 'true', project: 'acme/web' }),
  'GET /issues_statistics': () => by('bob').IssuesStatistics.all(),
  'GET /groups/:id/issues_statistics': () => by('bob').IssuesStatistics.all({ groupId: 'acme' }),
  'GET /projects/:id/issues_statistics': () => by('bob').IssuesStatistics.all({ projectId: 'acme/web' }),
  'GET /events': () => by('bob').Events.all(),
  'GET /users/:id/events': () => by('bob').Events.all({ userId: 'bob' }),
  'GET /projects/:project_id/events': () => by('bob').Events.all({ projectId: 'acme/web' }),
  'GET /todos': () => by('bob').TodoLists.all(),
  'POST /todos/:id/mark_as_done': async () => by('bob').TodoLists.done({ todoId: await newTodo() }),
  'POST /todos/mark_as_done': () => by('bob').TodoLists.done(),
  'GET /notification_settings': () => by('bob').NotificationSettings.show(),
  'PUT /notification_settings': () => by('bob').NotificationSettings.edit({ level: 'watch' as never }),
  'GET /projects/:id/labels': () => by('bob').ProjectLabels.all('acme/web'),
  'GET /projects/:id/labels/:label_id': () => by('bob').ProjectLabels.show('acme/web', 'bug'),
  'POST /projects/:id/labels': () => by('bob').ProjectLabels.create('acme/web', uniqueName('label'), 'red'),
  'PUT /projects/:id/labels/:label_id': async () =>
    by('bob').ProjectLabels.edit('acme/web', await newLabel(), { color: 'blue' }),
  'DELETE /projects/:id/labels/:label_id': async () => by('bob').ProjectLabels.remove('acme/web', await newLabel()),
  'PUT /projects/:id/labels/:label_id/promote': async () =>
    by('alice').ProjectLabels.promote('acme/web', await newLabel()),
  'POST /groups/:id/members/:user_id/override': async () =>
    by('alice').GroupMembers.setOverrideFlag('acme', await createSyncedMember()),
  'DELETE /groups/:id/members/:user_id/override': async () =>
    by('alice').GroupMembers.removeOverrideFlag('acme', await createSyncedMember()),
}

const newSnippet = () => idOf(forge.as('bob').snippets.create({ title: 'x', fileName: 'x', content: 'x' }))

const newEnvironment = async () =>
  (await forge.as('bob').environments.create({ project, name: uniqueName('stage') })).id

const newProtection = async () => {
  const name = uniqueName('guarded')
  await forge.host.protectedEnvironments.create({ project, name, deployAccessLevels: [{ accessLevel: 40 }] })
  return name
}

const newDomain = async () => {
  const domain = `${uniqueName('www')}.example.com`
  await forge.host.pagesDomains.create({ project, domain })
  return domain
}

const newNode = async () => {
  const name = uniqueName('node')
  return (await forge.host.replicaNodes.create({ name, url: `https://${name}.example.com` })).id
}

/** Creates a container repository with one tag. */
const newImages = async () => {
  const created = await forge.host.containerRepositories.create({ project, name: uniqueName('image') })
  await forge.host.containerTags.set({ project, repository: created.id, tag: 'v1', digest: `sha256:${'a'.repeat(64)}` })
  return created.id
}

const findBlob = async () => {
  const tree = await by('bob').Repositories.allRepositoryTrees('acme/web')
  return tree.find(({ type }) => type === 'blob')?.id as string
}

const archives: Calls = Object.fromEntries(
  ['tar.gz', 'tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2', 'tar', 'zip'].map((suffix) => [
    `GET /projects/:id/repository/archive.${suffix}`,
    () => by('bob').Repositories.showArchive('acme/web', { fileType: suffix as 'tar.gz' }),
  ]),
)

const secondCalls: Calls = {
  ...archives,
  'GET /groups': () => by('bob').Groups.all(),
  'GET /groups/:id/subgroups': () => by('bob').Groups.allSubgroups('acme'),
  'GET /groups/:id/projects': () => by('bob').Groups.allProjects('acme'),
  'GET /groups/:id/projects/shared': () => by('bob').Groups.allSharedProjects('acme'),
  'GET /groups/:id': () => by('bob').Groups.show('acme'),
  'GET /projects/:id/repository/tree': () => by('bob').Repositories.allRepositoryTrees('acme/web'),
  'GET /projects/:id/repository/blobs/:sha': async () => by('bob').Repositories.showBlob('acme/web', await findBlob()),
  'GET /projects/:id/repository/blobs/:sha/raw': async () =>
    by('bob').Repositories.showBlobRaw('acme/web', await findBlob()),
  'GET /projects/:id/repository/compare': () => by('bob').Repositories.compare('acme/web', 'v0.1.0', 'main'),
  'GET /projects/:id/repository/contributors': () => by('bob').Repositories.allContributors('acme/web'),
  'GET /projects/:id/repository/merge_base': () => by('bob').Repositories.mergeBase('acme/web', ['v0.1.0', 'main']),
  'GET /snippets': () => by('bob').Snippets.all(),
  'GET /snippets/public': () => by('bob').Snippets.all({ public: true }),
  'GET /snippets/:id': async () => by('bob').Snippets.show(await newSnippet()),
  'GET /snippets/:id/raw': async () => by('bob').Snippets.showContent(await newSnippet()),
  'POST /snippets': () => by('bob').Snippets.create('x', { fileName: 'x', content: 'x' } as never),
  'PUT /snippets/:id': async () => by('bob').Snippets.edit(await newSnippet(), { title: 'y' } as never),
  'DELETE /snippets/:id': async () => by('bob').Snippets.remove(await newSnippet()),
  'GET /snippets/:id/user_agent_detail': async () => {
    const created = await by('bob').Snippets.create('x', { fileName: 'x', content: 'x' } as never)
    return by('root').Snippets.showUserAgentDetails(created.id)
  },
  'GET /pages/domains': () => by('root').PagesDomains.all(),
  'GET /projects/:id/pages/domains': () => by('alice').PagesDomains.all({ projectId: 'acme/web' }),
  'GET /projects/:id/pages/domains/:domain': async () => by('alice').PagesDomains.show('acme/web', await newDomain()),
  'POST /projects/:id/pages/domains': () =>
    by('alice').PagesDomains.create('acme/web', `${uniqueName('www')}.example.com`),
  'PUT /projects/:id/pages/domains/:domain': async () =>
    by('alice').PagesDomains.edit('acme/web', await newDomain(), { autoSslEnabled: 'true' }),
  'DELETE /projects/:id/pages/domains/:domain': async () =>
    by('alice').PagesDomains.remove('acme/web', await newDomain()),
  'GET /projects/:id/environments': () => by('bob').Environments.all('acme/web'),
  'GET /projects/:id/environments/:environment_id': async () =>
    by('bob').Environments.show('acme/web', await newEnvironment()),
  'POST /projects/:id/environments': () => by('bob').Environments.create('acme/web', uniqueName('stage')),
  'PUT /projects/:id/environments/:environment_id': async () =>
    by('bob').Environments.edit('acme/web', await newEnvironment(), { externalUrl: 'https://x.example.com' }),
  'DELETE /projects/:id/environments/:environment_id': async () =>
    by('bob').Environments.remove('acme/web', await newEnvironment()),
  'POST /projects/:id/environments/:environment_id/stop': async () =>
    by('bob').Environments.stop('acme/web', await newEnvironment()),
  // The client does not encode ids and names in these URLs, so they must be numbers and plain names.
  'GET /projects/:id/protected_environments': () => by('alice').ProjectProtectedEnvironments.all(project),
  'GET /projects/:id/protected_environments/:name': async () =>
    by('alice').ProjectProtectedEnvironments.show(project, await newProtection()),
  'POST /projects/:id/protected_environments': () =>
    by('alice').ProjectProtectedEnvironments.create(project, uniqueName('guarded'), [{ access_level: 40 }] as never),
  'DELETE /projects/:id/protected_environments/:name': async () =>
    by('alice').ProjectProtectedEnvironments.remove(project, await newProtection()),
  'GET /projects/:id/remote_mirrors': () => by('alice').ProjectRemoteMirrors.all('acme/web'),
  'POST /projects/:id/remote_mirrors': () =>
    by('alice').ProjectRemoteMirrors.createPushMirror('acme/web', `https://93.184.216.34/${uniqueName('x')}.git`),
  'GET /keys/:id': async () => {
    const key = await forge.host.keys.create({ user: 'bob', key: newSshKey(uniqueName('key')) })
    return by('root').Keys.show({ keyId: key.id })
  },
  'GET /projects/:id/error_tracking/settings': () => by('alice').ErrorTrackingSettings.show('acme/web'),
  'PATCH /projects/:id/error_tracking/settings': () => by('alice').ErrorTrackingSettings.edit('acme/web', false),
  'GET /projects/:id/registry/repositories': () =>
    by('bob').ContainerRegistry.allRepositories({ projectId: 'acme/web' }),
  'GET /groups/:id/registry/repositories': () => by('bob').ContainerRegistry.allRepositories({ groupId: 'acme' }),
  'DELETE /projects/:id/registry/repositories/:repository_id': async () =>
    by('alice').ContainerRegistry.removeRepository('acme/web', await newImages()),
  'GET /projects/:id/registry/repositories/:repository_id/tags': async () =>
    by('bob').ContainerRegistry.allTags('acme/web', await newImages()),
  'GET /projects/:id/registry/repositories/:repository_id/tags/:tag_name': async () =>
    by('bob').ContainerRegistry.showTag('acme/web', await newImages(), 'v1'),
  'DELETE /projects/:id/registry/repositories/:repository_id/tags/:tag_name': async () =>
    by('bob').ContainerRegistry.removeTag('acme/web', await newImages(), 'v1'),
  'DELETE /projects/:id/registry/repositories/:repository_id/tags': async () =>
    by('alice').ContainerRegistry.removeTags('acme/web', await newImages(), '.*'),
  'GET /application/settings': () => by('root').ApplicationSettings.show(),
  'PUT /application/settings': () => by('root').ApplicationSettings.edit({ signInText: 'Hello' } as never),
  'POST /geo_nodes': () => by('root').GeoNodes.create(uniqueName('node'), `https://${uniqueName('node')}.example.com`),
  'GET /geo_nodes': () => by('root').GeoNodes.all(),
  'GET /geo_nodes/:id': async () => by('root').GeoNodes.show(await newNode()),
  'PUT /geo_nodes/:id': async () => {
    const name = uniqueName('node')
    return by('root').GeoNodes.edit(await newNode(), { name, url: `https://${name}.example.com` } as never)
  },
  'DELETE /geo_nodes/:id': async () => by('root').GeoNodes.remove(await newNode()),
  'POST /geo_nodes/:id/repair': async () => by('root').GeoNodes.repair(await newNode()),
}

const scim = '/api/scim/v2/groups/:group_path/Users'
const noProvisioning = 'the client does not implement SCIM, which only identity providers use'
const older = 'the client supports only the newer form with the label in the path'
const elsewhere = 'the client calls /issues/ instead of /labels/'

const unsupported: Readonly<Record<string, string>> = {
  [`GET ${scim}`]: noProvisioning,
  [`GET ${scim}/:id`]: noProvisioning,
  [`POST ${scim}`]: noProvisioning,
  [`PATCH ${scim}/:id`]: noProvisioning,
  [`DELETE ${scim}/:id`]: noProvisioning,
  'POST /projects/:id/labels/:label_id/subscribe': elsewhere,
  'POST /projects/:id/labels/:label_id/unsubscribe': elsewhere,
  'DELETE /projects/:id/labels': older,
  'PUT /projects/:id/labels': older,
  'PUT /projects/:id/labels/promote': older,
  'GET /projects/:id/repository/archive': 'the client always sends a suffix',
  'PUT /projects/:id/remote_mirrors/:mirror_id': 'the client updates mirrors with POST',
  'GET /keys': 'the client drops the fingerprint',
  'GET /projects/:id/dependencies': 'the client has no call for it',
  'GET /geo_nodes/status': 'the client calls /geo_nodes/statuses',
}

const calls: Calls = { ...firstCalls, ...secondCalls }

test('the tables contain exactly the documented routes', () => {
  const documented = [...Object.values(firstDocument), ...Object.values(secondDocument)].flat().map(normalizeRoute)
  const listed = [...Object.keys(calls), ...Object.keys(unsupported)].map(normalizeRoute)
  expect(listed.toSorted()).toEqual(documented.toSorted())
})

describe('@gitbeaker/rest calls', () => {
  test.each(Object.entries(calls))('%s', async (line, call) => {
    forge.journal.clear()
    await call()
    const exchange = forge.journal.last
    expect(exchange?.status).toBeLessThan(300)
    // All archive suffixes are one route of the server.
    expect(normalizeRoute(exchange?.route ?? 'nowhere')).toBe(normalizeRoute(line))
  })
})
