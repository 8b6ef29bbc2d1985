import {
  byAdmin,
  byOwner,
  byUser,
  type Client,
  type ClientCalls,
  type ClientWorld,
  noCall,
  type UnsupportedRoutes,
} from './client-world.ts'

const parents = { projects: 'acme/web', groups: 'acme' } as const

type Kind = keyof typeof parents

const containerOf = (kind: Kind) =>
  (kind === 'projects' ? { project: parents.projects } : { group: parents.groups }) as { readonly group: string }

const file = { content: new Blob(['x']), filename: 'a.txt' }

const wikiCallsOf = (kind: Kind): ClientCalls => {
  const base = `/${kind}/:id/wikis`
  const parent = parents[kind]
  const wikis = (api: Client) => (kind === 'projects' ? api.ProjectWikis : api.GroupWikis)
  const page = async ({ host, name }: ClientWorld) =>
    (await host.wikis.create({ ...containerOf(kind), title: `docs/${name('page')}`, content: 'x' })).slug
  return {
    [`GET ${base}`]: byOwner((api) => wikis(api).all(parent, { withContent: true })),
    [`POST ${base}`]: byOwner((api, { name }) => wikis(api).create(parent, 'A text', name('page'))),
    [`GET ${base}/:slug`]: byOwner(async (api, world) => wikis(api).show(parent, await page(world))),
    [`PUT ${base}/:slug`]: byOwner(async (api, world) => wikis(api).edit(parent, await page(world), { content: 'y' })),
    [`DELETE ${base}/:slug`]: byOwner(async (api, world) => wikis(api).remove(parent, await page(world))),
  }
}

const [link, image] = ['https://ci.example.com', 'https://ci.example.com/badge.svg']

const badgeCallsOf = (kind: Kind): ClientCalls => {
  const base = `/${kind}/:id/badges`
  const parent = parents[kind]
  const badges = (api: Client) => (kind === 'projects' ? api.ProjectBadges : api.GroupBadges)
  const badge = async ({ host }: ClientWorld) =>
    (await host.badges.create({ ...containerOf(kind), linkUrl: link, imageUrl: image })).id
  return {
    [`GET ${base}`]: byOwner((api) => badges(api).all(parent)),
    [`POST ${base}`]: byOwner((api) => badges(api).add(parent, link, image)),
    [`GET ${base}/render`]: byOwner((api) => badges(api).preview(parent, link, image)),
    [`GET ${base}/:badge_id`]: byOwner(async (api, world) => badges(api).show(parent, await badge(world))),
    [`PUT ${base}/:badge_id`]: byOwner(async (api, world) =>
      badges(api).edit(parent, await badge(world), { linkUrl: link, imageUrl: image }),
    ),
    [`DELETE ${base}/:badge_id`]: byOwner(async (api, world) => badges(api).remove(parent, await badge(world))),
  }
}

const invitationCallsOf = (kind: Kind): ClientCalls => {
  const base = `/${kind}/:id/invitations`
  const parent = parents[kind]
  const invitations = (api: Client) => (kind === 'projects' ? api.ProjectInvitations : api.GroupInvitations)
  const address = ({ name }: ClientWorld) => `${name('invited')}@example.org`
  const invite = async (world: ClientWorld) => {
    const email = address(world)
    await world.host.invitations.create({ ...containerOf(kind), emails: [email], accessLevel: 30 })
    return email
  }
  return {
    [`GET ${base}`]: byOwner((api) => invitations(api).all(parent)),
    [`POST ${base}`]: byOwner((api, world) => invitations(api).add(parent, 30, { email: address(world) } as never)),
    [`PUT ${base}/:email`]: byOwner(async (api, world) =>
      invitations(api).edit(parent, await invite(world), { accessLevel: 20 }),
    ),
    [`DELETE ${base}/:email`]: byOwner(async (api, world) => invitations(api).remove(parent, await invite(world))),
  }
}

const pushRuleCallsOf = (kind: Kind): ClientCalls => {
  const base = `/${kind}/:id/push_rule`
  const pushRules = (api: Client) => (kind === 'projects' ? api.ProjectPushRules : api.GroupPushRules)
  /** A new project or group, with a push rule if `maxFileSize` is given. */
  const parent = async ({ host, name }: ClientWorld, maxFileSize?: number) => {
    const { id } =
      kind === 'projects'
        ? await host.projects.create({ name: name('ruled'), namespace: 'acme', visibility: 'private' })
        : await host.groups.create({ path: name('ruled'), parent: 'acme', visibility: 'private' })
    const owner = (kind === 'projects' ? { project: id } : { group: id }) as { readonly group: number }
    if (maxFileSize !== undefined) await host.pushRules.create({ ...owner, maxFileSize })
    return id
  }
  return {
    [`GET ${base}`]: byOwner(async (api, world) => pushRules(api).show(await parent(world, 5))),
    [`POST ${base}`]: byOwner(async (api, world) => pushRules(api).create(await parent(world), { maxFileSize: 5 })),
    [`PUT ${base}`]: byOwner(async (api, world) => pushRules(api).edit(await parent(world, 5), { maxFileSize: 9 })),
    [`DELETE ${base}`]: byOwner(async (api, world) => pushRules(api).remove(await parent(world, 5))),
  }
}

const boardCallsOf = (kind: Kind): ClientCalls => {
  const base = `/${kind}/:id/boards`
  const lists = `${base}/:board_id/lists`
  const parent = parents[kind]
  const boards = (api: Client) => (kind === 'projects' ? api.ProjectIssueBoards : api.GroupIssueBoards)
  const board = async ({ host, name }: ClientWorld) =>
    (await host.boards.create({ ...containerOf(kind), name: name('board') })).id
  const newLabel = async ({ host, name }: ClientWorld) =>
    (await host.labels.create({ ...containerOf(kind), name: name('label'), color: 'red' })).id
  const list = async (world: ClientWorld) => {
    const id = await board(world)
    const created = { ...containerOf(kind), board: id, labelId: await newLabel(world) }
    return [id, (await world.host.boardLists.create(created)).id] as const
  }
  return {
    [`GET ${base}`]: byOwner((api) => boards(api).all(parent)),
    [`POST ${base}`]: byOwner((api) => boards(api).create(parent, 'Work')),
    [`GET ${base}/:board_id`]: byOwner(async (api, world) => boards(api).show(parent, await board(world))),
    [`PUT ${base}/:board_id`]: byOwner(async (api, world) =>
      boards(api).edit(parent, await board(world), { name: 'Other' }),
    ),
    [`DELETE ${base}/:board_id`]: byOwner(async (api, world) => boards(api).remove(parent, await board(world))),
    [`GET ${lists}`]: byOwner(async (api, world) => boards(api).allLists(parent, await board(world))),
    [`POST ${lists}`]: byOwner(async (api, world) =>
      boards(api).createList(parent, await board(world), { labelId: await newLabel(world) }),
    ),
    [`GET ${lists}/:list_id`]: byOwner(async (api, world) => boards(api).showList(parent, ...(await list(world)))),
    [`PUT ${lists}/:list_id`]: byOwner(async (api, world) => boards(api).editList(parent, ...(await list(world)), 0)),
    [`DELETE ${lists}/:list_id`]: byOwner(async (api, world) => boards(api).removeList(parent, ...(await list(world)))),
  }
}

const newTopic = async ({ host, name }: ClientWorld) =>
  (await host.topics.create({ name: name('topic'), title: 'Topic' })).id

const newMessage = async ({ host }: ClientWorld) => (await host.broadcastMessages.create({ message: 'Hello' })).id

const newSecureFile = async ({ host, name }: ClientWorld) => {
  const content = { fileName: 'a.txt', content: new TextEncoder().encode('x') }
  return (await host.secureFiles.create({ project: 'acme/web', name: name('file'), file: content })).id
}

/** Wikis, invitations, push rules, badges, issue boards, topics, messages and secure files. */
export const setUpCalls: ClientCalls = {
  ...wikiCallsOf('projects'),
  ...wikiCallsOf('groups'),
  'POST /projects/:id/wikis/attachments': byOwner(({ ProjectWikis }) =>
    ProjectWikis.uploadAttachment('acme/web', file),
  ),
  'POST /groups/:id/wikis/attachments': byOwner(({ GroupWikis }) => GroupWikis.uploadAttachment('acme', file)),
  ...pushRuleCallsOf('projects'),
  ...pushRuleCallsOf('groups'),
  ...invitationCallsOf('projects'),
  ...invitationCallsOf('groups'),
  ...badgeCallsOf('projects'),
  ...badgeCallsOf('groups'),
  ...boardCallsOf('projects'),
  ...boardCallsOf('groups'),
  'GET /topics': byUser(({ Topics }) => Topics.all({ search: 'topic' })),
  'POST /topics': byAdmin(({ Topics }, { name }) => Topics.create(name('topic'), { title: 'Topic' } as never)),
  'POST /topics/merge': byAdmin(async ({ Topics }, world) =>
    Topics.merge(await newTopic(world), await newTopic(world)),
  ),
  'GET /topics/:id': byUser(async ({ Topics }, world) => Topics.show(await newTopic(world))),
  'PUT /topics/:id': byAdmin(async ({ Topics }, world) => Topics.edit(await newTopic(world), { description: 'x' })),
  'DELETE /topics/:id': byAdmin(async ({ Topics }, world) => Topics.remove(await newTopic(world))),
  'GET /broadcast_messages': byUser(({ BroadcastMessages }) => BroadcastMessages.all()),
  'POST /broadcast_messages': byAdmin(({ BroadcastMessages }) =>
    BroadcastMessages.create({ message: 'Hello' } as never),
  ),
  'GET /broadcast_messages/:id': byUser(async ({ BroadcastMessages }, world) =>
    BroadcastMessages.show(await newMessage(world)),
  ),
  'PUT /broadcast_messages/:id': byAdmin(async ({ BroadcastMessages }, world) =>
    BroadcastMessages.edit(await newMessage(world), { message: 'Bye' } as never),
  ),
  'DELETE /broadcast_messages/:id': byAdmin(async ({ BroadcastMessages }, world) =>
    BroadcastMessages.remove(await newMessage(world)),
  ),
  'GET /projects/:id/secure_files': byOwner(({ SecureFiles }) => SecureFiles.all('acme/web')),
  'POST /projects/:id/secure_files': byOwner(({ SecureFiles }, { name, project }) =>
    SecureFiles.create(project, name('file'), file),
  ),
  'GET /projects/:id/secure_files/:secure_file_id': byOwner(async ({ SecureFiles }, world) =>
    SecureFiles.show('acme/web', String(await newSecureFile(world))),
  ),
  'GET /projects/:id/secure_files/:secure_file_id/download': byOwner(async ({ SecureFiles }, world) =>
    SecureFiles.download('acme/web', await newSecureFile(world)),
  ),
  'DELETE /projects/:id/secure_files/:secure_file_id': byOwner(async ({ SecureFiles }, world) =>
    SecureFiles.remove('acme/web', await newSecureFile(world)),
  ),
  'GET /application/statistics': byAdmin(({ ApplicationStatistics }) => ApplicationStatistics.show()),
  'POST /projects/:id/housekeeping': byOwner(({ Projects }) => Projects.housekeeping('acme/web')),
  'GET /projects/:id/languages': byOwner(({ Projects }) => Projects.showLanguages('acme/web')),
  'GET /projects/:id/statistics': byOwner(({ ProjectStatistics }) => ProjectStatistics.show('acme/web')),
  'GET /license': byAdmin(({ License }) => License.show()),
  'GET /projects/:id/storage': byAdmin(({ Projects }) => Projects.allStoragePaths('acme/web')),
  'GET /projects/:id/releases/permalink/latest': byOwner(async ({ ProjectReleases }, { release }) => {
    await release()
    return ProjectReleases.showLatest('acme/web')
  }),
}

const misspelled = 'the client misspells the path'

export const unsupportedSetUpRoutes: UnsupportedRoutes = {
  'GET /application/appearance': misspelled,
  'PUT /application/appearance': misspelled,
  'GET /features': noCall,
  'GET /features/definitions': noCall,
  'POST /features/:name': noCall,
  'DELETE /features/:name': noCall,
  'POST /projects/:id/environments/stop_stale': noCall,
  'DELETE /projects/:id/environments/review_apps': noCall,
}
