import type { FakeForge } from '@forgelet/fixtures'
import { getInputReader } from '../../packages/http/src/request/input-reader.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { newGpgKey } from '../contract/gpg-keys.ts'
import { newSshKey } from '../contract/ssh-keys.ts'
import { asText, encode, formatPairs } from './hostile-values.ts'

const picture = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

/** Valid values by parameter name. */
const validValues: Readonly<Record<string, unknown>> = {
  color: 'red',
  body: 'A text',
  text: 'A text',
  title: 'A title',
  access_level: 30,
  level: 'watch',
  value: 'silver',
  domain: 'new.example.com',
  url: 'https://93.184.216.34/x.git',
  external_url: 'https://www.example.com',
  ref: 'main',
  from: 'main',
  to: 'main',
  refs: ['main', 'cache-home'],
  fingerprint: '00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00',
  name_regex_delete: 'v.*',
  deploy_access_levels: [{ access_level: 40 }],
  active: true,
  file_name: 'a.txt',
  content: 'A text',
  branch: 'main',
  commit_message: 'A text',
  visibility: 'private',
  source_branch: 'cache-home',
  target_branch: 'main',
  new_name: 'defect',
  duration: '1h',
  file: new File(['A text'], 'a.txt'),
}

/** The start of an archive: an import accepts it, and its job reports that it is damaged. */
const archive = new File([new Uint8Array([0x1f, 0x8b, 8, 0])], 'archive.tar.gz')

const badgeUrls = { link_url: 'https://x.example.com', image_url: 'https://x.example.com/x.svg' }

/** Additional or different valid values by route. */
const routeValues: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'DELETE /projects/:id/labels': { name: 'bug' },
  'PUT /projects/:id/labels': { name: 'bug', color: 'blue' },
  'PUT /projects/:id/labels/promote': { name: 'bug' },
  'PUT /projects/:id/labels/:label_id': { color: 'blue' },
  'PUT /groups/:id/labels': { name: 'of-the-group', color: 'blue' },
  'DELETE /groups/:id/labels': { name: 'of-the-group' },
  'PUT /groups/:id/labels/:label_id': { color: 'blue' },
  'PUT /snippets/:id': { title: 'Better' },
  'POST /projects/:id/merge_requests': { source_branch: 'main', target_branch: 'cache-home' },
  'PUT /projects/:id/snippets/:snippet_id': { title: 'Better' },
  'PUT /projects/:id/deployments/:deployment_id': { status: 'success' },
  'POST /projects/:id/issues/:issue_iid/move': { to_project_id: 'bob/notes' },
  'POST /projects/:id/issues/:issue_iid/clone': { to_project_id: 'bob/notes' },
  'PUT /projects/:id/issues/:issue_iid/reorder': { move_after_id: 2 },
  'POST /projects/:id/issues/:issue_iid/links': { target_project_id: 'acme/web', target_issue_iid: 3 },
  'GET /search': { scope: 'projects', search: 'web' },
  'GET /groups/:id/search': { scope: 'projects', search: 'web' },
  'GET /projects/:id/search': { scope: 'issues', search: 'home' },
  'POST /user/emails': { email: 'new@example.org' },
  'POST /users/:id/emails': { email: 'new@example.org' },
  'PATCH /projects/:id/protected_branches/:name': { allow_force_push: true },
  'PUT /projects/:id/transfer': { namespace: 'bob' },
  'POST /groups/:id/transfer': { group_id: 'elsewhere' },
  'POST /projects/:id/repository/branches': { branch: 'new', ref: 'main' },
  'POST /projects/:id/repository/tags': { tag_name: 'new', ref: 'main' },
  'POST /projects/:id/repository/commits': { branch: 'main', commit_message: 'x', actions: [] },
  'POST /projects/:id/repository/commits/:sha/cherry_pick': { branch: 'main' },
  'POST /projects/:id/repository/commits/:sha/comments': {
    note: 'x',
    path: 'docs/build.md',
    line: 1,
    line_type: 'new',
  },
  'POST /projects/:id/repository/commits/:sha/revert': { branch: 'main' },
  'POST /projects/:id/pipeline': { variables: [{ key: 'A', value: 'x' }] },
  'POST /projects/:id/trigger/pipeline': { token: 'hushtrigger', ref: 'main', variables: { A: 'x' } },
  'POST /projects/:id/ref/:ref/trigger/pipeline': { token: 'hushtrigger', variables: { A: 'x' } },
  'PATCH /projects/:id/job_token_scope': { enabled: false },
  'POST /projects/:id/job_token_scope/allowlist': { target_project_id: 2 },
  'POST /projects/:id/job_token_scope/groups_allowlist': { target_group_id: 10 },
  'PUT /projects/:id/pipelines/:pipeline_id/metadata': { name: 'Better' },
  'POST /projects/:id/triggers': { description: 'New' },
  'PUT /projects/:id/triggers/:trigger_id': { description: 'Better' },
  'POST /projects/:id/pipeline_schedules': { description: 'New', ref: 'main', cron: '0 1 * * *' },
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id': { cron: '0 2 * * *', cron_timezone: 'UTC' },
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables': { key: 'NEW', value: 'x' },
  'POST /projects/:id/statuses/:sha': { state: 'success', ref: 'main' },
  'GET /projects/:id/jobs/artifacts/:ref_name/download': { job: 'build' },
  'GET /projects/:id/jobs/artifacts/:ref_name/raw/:artifact_path': { job: 'build' },
  'POST /projects/:id/releases': { tag_name: 'release-2', ref: 'main' },
  'PUT /projects/:id/releases/:tag_name': { name: 'Better' },
  'PUT /projects/:id/releases/:tag_name/assets/links/:link_id': { name: 'Better' },
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id': { resolved: true },
  'PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id': { note: 'Better' },
  'POST /projects/:id/approvals': { reset_approvals_on_push: true },
  'POST /projects/:id/approval_rules': { name: 'New', approvals_required: 0 },
  'POST /projects/:id/merge_requests/:merge_request_iid/approval_rules': { name: 'New', approvals_required: 0 },
  'POST /projects/:id/merge_requests/:merge_request_iid/approvals': { approvals_required: 0 },
  'POST /projects': { name: 'Fresh' },
  'POST /projects/user/:user_id': { name: 'Fresh' },
  'PUT /projects/:id': { description: 'Better' },
  'POST /groups': { name: 'New' },
  'PUT /groups/:id': { description: 'Better' },
  'POST /projects/:id/share': { group_id: 'acme/tools', group_access: 30 },
  'POST /groups/:id/share': { group_id: 'acme/tools', group_access: 30 },
  'PUT /user/avatar': { avatar: new File([picture], 'a.gif') },
  'POST /users': { username: 'newcomer' },
  'POST /projects/:id/deploy_keys': { key: newSshKey('new') },
  'PUT /projects/:id/deploy_keys/:key_id': { title: 'Better' },
  'POST /user/keys': { key: newSshKey('new') },
  'POST /users/:id/keys': { key: newSshKey('new') },
  'POST /user/gpg_keys': { key: newGpgKey() },
  'POST /users/:id/gpg_keys': { key: newGpgKey() },
  'POST /projects/:id/variables': { key: 'NEW', value: 'x' },
  'POST /groups/:id/variables': { key: 'NEW', value: 'x' },
  'POST /admin/ci/variables': { key: 'NEW', value: 'x' },
  'POST /projects/:id/access_tokens': { name: 'new', scopes: ['api'] },
  'POST /projects/:id/deploy_tokens': { name: 'new', scopes: ['read_repository'] },
  'POST /groups/:id/deploy_tokens': { name: 'new', scopes: ['read_repository'] },
  'POST /groups/:id/access_tokens': { name: 'new', scopes: ['api'] },
  'POST /applications': { name: 'Board', redirect_uri: 'https://board.example.com/callback', scopes: 'openid' },
  'POST /users/:user_id/impersonation_tokens': { name: 'new', scopes: ['api'] },
  'PUT /projects/:id/wikis/:slug': { content: 'Better' },
  'PUT /groups/:id/wikis/:slug': { content: 'Better' },
  ...Object.fromEntries(
    ['projects', 'groups'].flatMap((base) => [
      [`POST /${base}/:id/push_rule`, { deny_delete_tag: true }],
      [`PUT /${base}/:id/push_rule`, { deny_delete_tag: true }],
      [`POST /${base}/:id/invitations`, { email: 'lee@example.org', access_level: 10 }],
      [`PUT /${base}/:id/invitations/:email`, { access_level: 20 }],
      [`POST /${base}/:id/badges`, badgeUrls],
      [`GET /${base}/:id/badges/render`, badgeUrls],
      [`PUT /${base}/:id/badges/:badge_id`, { name: 'Better' }],
      [`PUT /${base}/:id/boards/:board_id`, { name: 'Better' }],
      [`POST /${base}/:id/boards`, { name: 'New' }],
      [`PUT /${base}/:id/boards/:board_id/lists/:list_id`, { position: 0 }],
    ]),
  ),
  'POST /projects/import': { path: 'imported', file: archive },
  'POST /groups/import': { path: 'imported', name: 'Imported', file: archive },
  'POST /broadcast_messages': { message: 'Hello' },
  'PUT /broadcast_messages/:id': { message: 'Better' },
  'POST /projects/:id/environments/stop_stale': { before: new Date(Date.now() - 30 * 86_400_000).toISOString() },
  'POST /features/:name': { value: true },
  'PUT /application/appearance': { title: 'Better' },
  'POST /projects/:id/secure_files': { name: 'new.pem', file: new File([picture], 'a.pem') },
  'POST /topics': { name: 'new', title: 'New' },
  'PUT /topics/:id': { title: 'Better' },
  'POST /users/:user_id/personal_access_tokens': { name: 'new', scopes: ['api'] },
}

const scimBody = {
  externalId: 'new-1',
  userName: 'new-one',
  name: { formatted: 'New One', familyName: 'One', givenName: 'New' },
  emails: [{ primary: true, type: 'work', value: 'new.one@example.com' }],
  Operations: [{ op: 'Replace', path: 'name.formatted', value: 'Newer' }],
}

interface Schema {
  readonly type: string
}

const isRequired = (schema: unknown) => !/optional|nullish/.test((schema as Schema).type)

const scimId = ({ path }: Route) => {
  if (path.includes('/ResourceTypes')) return 'User'
  return path.includes('/Schemas') ? 'urn:ietf:params:scim:schemas:core:2.0:User' : 'bob-1'
}

/** The method and the path below `/api/v4`: `PUT /projects/:id`. */
export const toLine = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method} ${path.replace('/api/v4', '')}`

/** The parameters of a request by wire name. */
export interface RequestValues {
  readonly path: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, unknown>>
}

export const formatQuery = (parameters: RequestValues['parameters']) =>
  Object.entries(parameters)
    .flatMap(([name, value]) => formatPairs(name, value))
    .join('&')

export const buildPath = ({ path }: Route, values: RequestValues['path']) =>
  path.replace(/:([a-z_]+)/g, (_, name: string) => encode(values[name] ?? 1))

/** A multipart body, if one of the parameters is a file. */
export const toFormData = (parameters: RequestValues['parameters']): FormData | undefined => {
  const entries = Object.entries(parameters)
  if (!entries.some(([, value]) => value instanceof File)) return undefined
  const form = new FormData()
  for (const [name, value] of entries) form.set(name, value instanceof File ? value : asText(value))
  return form
}

export interface ValidRequests {
  /** Prepares the state that a route requires, and returns the parameters of a request that succeeds. */
  prepare(route: Route): Promise<RequestValues>
  /** Valid path parameters. */
  getPath(route: Route): RequestValues['path']
  send(route: Route, values: RequestValues, headers?: Readonly<Record<string, string>>): Promise<Response>
}

/** Requests to every route with valid values, by the administrator. */
export function createValidRequests(
  forge: FakeForge,
  allIds: Readonly<Record<string, string | number>>,
): ValidRequests {
  let ids = allIds
  let count = 0

  /** Uploads pictures of the administrator, a project and a group. */
  const setPictures = async () => {
    const avatar = { fileName: 'a.gif', content: picture }
    await forge.host.users.update({ user: Number(ids.user_id), avatar })
    await forge.host.projects.update({ project: 'acme/web', avatar })
    await forge.host.groups.update({ group: 'acme', avatar })
  }

  /** Creates the variables of the paths, unless they exist. */
  const createVariables = async () => {
    const variable = { key: 'HOSTILE', value: 'x' }
    const { ciVariables } = forge.host
    for (const create of [
      () => ciVariables.create({ project: 'acme/web', ...variable }),
      () => ciVariables.create({ group: 'acme', ...variable }),
      () => ciVariables.create(variable),
    ])
      await create().catch(() => undefined)
  }

  const addEmail = (user: string | number) => async () => {
    const { id } = await forge.host.emails.create({ user, email: `more${count++}@example.org` })
    ids = { ...ids, email_id: id }
  }

  /** Sends an event to a hook. */
  const deliver = async (parent: object, hook: unknown) => {
    await forge.host.issues.create({ project: 'acme/web', title: 'Event', author: 'bob' })
    await forge.host.hooks.update({ ...(parent as { group: string }), hook: Number(hook), issuesEvents: true })
    await forge.host.issues.create({ project: 'acme/web', title: 'Event', author: 'bob' })
    await forge.hooks.drain()
    const { items } = await forge.host.hooks.listDeliveries({ ...(parent as { group: string }), hook: Number(hook) })
    ids = { ...ids, hook_event_id: items[0]?.id ?? 0 }
  }

  /** The name is the value of `name` in the path. */
  const protectReferences = async () => {
    const { items } = await forge.host.protectedBranches.list({ project: 'acme/web', search: 'locked' })
    if (items.length) return
    await forge.host.protectedBranches.create({ project: 'acme/web', name: 'locked' })
    await forge.host.protectedTags.create({ project: 'acme/web', name: 'locked' })
  }

  const createArchive = (container: { project: string } | { group: string }) => async () => {
    await forge.host.exports.create(container as { project: string })
    await forge.platform.jobs.drain()
  }

  const changeState = (state: 'block' | 'ban' | 'deactivate') => () =>
    forge.host.users[state]({ user: Number(ids.user_id) })

  /** Commits a pipeline file to branches. */
  const commitPipelineFile = async () => {
    const author = { name: 'A', email: 'a@example.com' }
    const files = [{ path: '.gitlab-ci.yml', content: 'build: { script: make, rules: [{ when: always }] }' }]
    const commits = ['main', 'cache-home'].map((branch) => ({ branch, message: 'Build', author, files }))
    await forge.host.commits.import({ project: 'acme/web', commits })
  }

  /** A fork is at most as visible as its source. */
  const showNotes = () => forge.host.projects.update({ project: 'bob/notes', visibility: 'public' })

  /** Only the owner of a schedule changes it. */
  const ownSchedules = async () => {
    const project = 'acme/web'
    for (const { id } of (await forge.host.pipelineSchedules.list({ project })).items) {
      await forge.as('root').pipelineSchedules.takeOwnership({ project, schedule: id })
    }
  }

  /** What has to happen before a route can succeed. */
  const preparations: Readonly<Record<string, () => Promise<unknown>>> = {
    'POST /users/:id/unblock': changeState('block'),
    'POST /users/:id/unban': changeState('ban'),
    'POST /users/:id/activate': changeState('deactivate'),
    'GET /user/emails/:email_id': addEmail('root'),
    'DELETE /user/emails/:email_id': addEmail('root'),
    'GET /users/:id/emails/:email_id': () => addEmail(Number(ids.user_id))(),
    'DELETE /users/:id/emails/:email_id': () => addEmail(Number(ids.user_id))(),
    'DELETE /users/:id/identities/:provider': () =>
      forge.host.identities.link({ user: Number(ids.user_id), provider: 'crm', externalUid: '7' }),
    'POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend': () =>
      deliver({ project: 'acme/web' }, ids.hook_id),
    'POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend': () => deliver({ group: 'acme' }, ids.group_hook),
    ...Object.fromEntries(
      ['/projects/:id', '/groups/:id', '/admin/ci'].flatMap((owner) =>
        ['GET', 'PUT', 'DELETE'].map((method) => [`${method} ${owner}/variables/:key`, createVariables]),
      ),
    ),
    'POST /projects/:id/push_rule': () => forge.host.pushRules.remove({ project: 'acme/web' }),
    'POST /groups/:id/push_rule': () => forge.host.pushRules.remove({ group: 'acme' }),
    'POST /projects/:id/pipeline': commitPipelineFile,
    'POST /projects/:id/trigger/pipeline': commitPipelineFile,
    'POST /projects/:id/ref/:ref/trigger/pipeline': commitPipelineFile,
    'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play': commitPipelineFile,
    'POST /projects/:id/merge_requests/:merge_request_iid/pipelines': commitPipelineFile,
    'GET /projects/:id/export/download': createArchive({ project: 'acme/web' }),
    'GET /groups/:id/export/download': createArchive({ group: 'acme' }),
    'GET /projects/:id/avatar': setPictures,
    'GET /groups/:id/avatar': setPictures,
    'GET /uploads/-/system/user/avatar/:id/:filename': setPictures,
    'GET /uploads/-/system/project/avatar/:id/:filename': setPictures,
    'GET /uploads/-/system/group/avatar/:id/:filename': setPictures,
    'GET /projects/:id/protected_branches/:name': () => protectReferences(),
    'PATCH /projects/:id/protected_branches/:name': () => protectReferences(),
    'DELETE /projects/:id/protected_branches/:name': () => protectReferences(),
    'GET /projects/:id/protected_tags/:name': () => protectReferences(),
    'DELETE /projects/:id/protected_tags/:name': () => protectReferences(),
    'POST /groups/:id/transfer': () => forge.host.groups.create({ path: 'elsewhere', visibility: 'public' }),
    'POST /projects/:id/fork/:forked_from_id': showNotes,
    'DELETE /projects/:id/fork': async () => {
      await showNotes()
      await forge.host.forks.link({ project: 'acme/web', forkedFrom: 'bob/notes' })
    },
    'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id': ownSchedules,
    'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables': ownSchedules,
    'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': ownSchedules,
    'DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': ownSchedules,
    'POST /projects/:id/merge_requests/:merge_request_iid/unapprove': () =>
      forge.as('root').mergeRequestApprovals.approve({ project: 'acme/web', mergeRequest: 1 }),
    'DELETE /projects/:id/share/:group_id': () =>
      forge.host.shares.create({ project: 'acme/web', withGroup: 'acme/tools', accessLevel: 30 }),
    'DELETE /groups/:id/share/:group_id': () =>
      forge.host.shares.create({ group: 'acme', withGroup: 'acme/tools', accessLevel: 30 }),
    'POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds': async () => {
      const target = { project: 'acme/web', mergeRequest: 1 }
      const { sha, mergeWhenPipelineSucceeds } = await forge.host.mergeRequests.get(target)
      if (mergeWhenPipelineSucceeds) return
      const jobs = [{ name: 'test' }]
      await forge.host.pipelines.record({ ...target, ref: 'main', sha: sha ?? 'a'.repeat(40), jobs })
      await forge.host.mergeRequests.merge({ ...target, autoMerge: true })
    },
    'POST /projects/:id/remote_mirrors/:mirror_id/sync': () =>
      forge.host.remoteMirrors.update({ project: 'acme/web', mirror: Number(ids.mirror_id), enabled: true }),
  }

  const getPath = (route: Route): Readonly<Record<string, unknown>> => {
    const kind = route.path.split('/')[3]
    const own = {
      projects: 'acme/web',
      groups: 'acme',
      users: ids.user_id,
      todos: ids.todo_id,
      snippets: ids.own_snippet,
      keys: 1,
      geo_nodes: 1,
      applications: ids.application,
      issues: 1,
      namespaces: 'acme',
      personal_access_tokens: ids.own_token,
      topics: ids.topic,
      broadcast_messages: ids.broadcast,
      registry: ids.repository_id,
      scim: 'bob-1',
    }[kind ?? '']
    const note = ['issues', 'snippets', 'merge_requests', 'epics', 'commits'].find((noteable) =>
      route.path.includes(`/${noteable}/`),
    )
    return {
      ...ids,
      ...(route.path.includes('access_requests') && { user_id: ids.requester }),
      ...(route.path.endsWith('/override') && { user_id: ids.synced }),
      ...(route.path.includes('/protected_branches/:') && { name: 'locked' }),
      ...(route.path.includes('/protected_tags/:') && { name: 'locked' }),
      ...(route.path.includes('/variables/:') && { key: 'HOSTILE' }),
      ...(route.path.includes('/pipeline_schedules/') && { key: 'NIGHT' }),
      ...(route.path.includes('/ref/:ref') && { ref: 'main' }),
      ...(route.path.includes('/avatar/:') && { filename: 'a.gif' }),
      ...(route.path.includes('/hooks/:') && { trigger: 'issues_events' }),
      ...(/projects.*members.:user_id/.test(route.path) && { user_id: ids.reporter }),
      ...(note && {
        note_id: ids[`${note}_note`],
        resource_label_event_id: ids[`${note}_label_event`],
        resource_milestone_event_id: ids[`${note}_milestone_event`],
        resource_state_event_id: ids[`${note}_state_event`],
        resource_weight_event_id: ids[`${note}_weight_event`],
      }),
      ...(route.method === 'POST' && /epics.*issues/.test(route.path) && { epic_issue_id: ids.issue_id }),
      ...(/merge_requests.*approval_rules/.test(route.path) && { approval_rule_id: ids.merge_request_rule }),
      // An item of which `recordChanges` has changed the labels, the milestone, the weight and the state.
      ...(/issues.*resource_/.test(route.path) && { issue_iid: 3 }),
      ...(route.path.includes('/discussions/:') && {
        discussion_id: ids[`${note}_discussion`],
        note_id: ids[`${note}_discussion_note`],
      }),
      ...(route.path.includes('/award_emoji/:') && {
        award_id: ids[`${note}${route.path.includes('/notes/:') ? '_note' : ''}_award`],
      }),
      ...(/projects.*snippets.:snippet_id$/.test(route.path) && { snippet_id: ids.own_project_snippet }),
      ...(/projects.*access_tokens/.test(route.path) && { token_id: ids.project_token }),
      ...(/groups.*access_tokens/.test(route.path) && { token_id: ids.group_token }),
      ...(/projects.*deploy_tokens/.test(route.path) && { token_id: ids.project_deploy_token }),
      ...(/groups.*deploy_tokens/.test(route.path) && { token_id: ids.group_deploy_token }),
      ...(/groups.*hooks/.test(route.path) && { hook_id: ids.group_hook }),
      ...(route.path.startsWith('/api/v4/hooks/') && { hook_id: ids.system_hook }),
      ...(/groups.*badges/.test(route.path) && { badge_id: ids.group_badge }),
      ...(/groups.*boards/.test(route.path) && { board_id: ids.group_board, list_id: ids.group_list }),
      ...(/groups.*milestones/.test(route.path) && { milestone_id: ids.group_milestone }),
      ...(/groups.*labels/.test(route.path) && { label_id: ids.group_label }),
      ...(route.path.includes('/releases/') && {
        tag_name: 'release-1',
        direct_asset_path: 'tool',
        suffix_path: 'assets/links',
      }),
      ...(route.path.includes('/templates/') && { key: 'Python', type: 'gitignores', name: 'Python' }),
      ...(route.path.endsWith('/licenses/:key') && { key: 'proprietary' }),
      ...(route.path.includes('/packages/generic/') && { file_name: 'a.txt' }),
      ...(/\/(?:repository|releases)\/tags\/:tag_name/.test(route.path) && { tag_name: 'release-1' }),
      ...(route.path.includes('/branches/:') && { branch: route.method === 'DELETE' ? 'cache-home' : 'main' }),
      ...(route.path.includes('/files/:') && { file_path: route.method === 'POST' ? 'new.txt' : 'README.md' }),
      ...(route.path.includes('/statuses/:sha') && { sha: 'main' }),
      ...(route.path.endsWith('jobs/:job_id/play') && { job_id: ids.manual_job }),
      ...(route.path.includes('/commits/:sha') && { sha: route.path.endsWith('/cherry_pick') ? 'cache-home' : 'main' }),
      key_id: route.path.includes('/deploy_keys/') ? ids.deploy_key : route.path.includes('/user/') ? ids.own_key : 1,
      ...(route.path.includes('/features/:name') && { name: 'new_pages' }),
      ...(route.path.includes('/gpg_keys/') && {
        key_id: route.path.includes('/user/') ? ids.own_gpg_key : ids.gpg_key,
      }),
      group_id: 'acme/tools',
      ...(route.path.endsWith('/exists') && { path: 'acme' }),
      forked_from_id: 'bob/notes',
      project_id: 'acme/web',
      id: route.path.startsWith('/api/scim') ? scimId(route) : (own ?? 'acme/web'),
      ...(route.path.startsWith('/uploads/') && {
        id: { user: ids.user_id, project: 'acme/web', group: 'acme' }[route.path.split('/')[4] ?? ''],
      }),
    }
  }

  const send: ValidRequests['send'] = (route, { path, parameters }, headers) => {
    const scim = route.path.startsWith('/api/scim')
    const reads = route.method === 'GET'
    const query = reads ? formatQuery(parameters) : ''
    const form = toFormData(parameters)
    return forge.fetch(`${forge.url}${buildPath(route, path)}${query ? `?${query}` : ''}`, {
      method: route.method,
      headers: {
        ...(scim ? { authorization: 'Bearer acme-scim' } : { 'private-token': 'root-token' }),
        ...(!reads && !form && { 'content-type': scim ? 'application/scim+json' : 'application/json' }),
        ...headers,
      },
      ...(!reads && { body: form ?? JSON.stringify(parameters) }),
    })
  }

  const getParameters = (route: Route): RequestValues['parameters'] => {
    const usual = route.path.startsWith('/api/scim') ? scimBody : validValues
    const line = toLine(route)
    return {
      ...Object.fromEntries(
        getInputReader(route)
          .fields.filter(({ inPath, schema, wire }) => !inPath && (isRequired(schema) || route.required.includes(wire)))
          .map(({ wire }) => [wire, usual[wire as keyof typeof usual] ?? ids[wire] ?? 'x']),
      ),
      ...(line.endsWith('/members') && route.method === 'POST' && { user_id: ids.requester }),
      ...(/^PUT .*\/discussions\/.*\/notes\//.test(line) && { body: 'Better' }),
      ...(line.endsWith('/lists') && route.method === 'POST' && { label_id: ids.list_label }),
      ...routeValues[line],
      ...(route.body !== undefined && scimBody),
    }
  }

  const prepare = async (route: Route): Promise<RequestValues> => {
    await preparations[toLine(route)]?.()
    return { path: getPath(route), parameters: getParameters(route) }
  }

  return { prepare, getPath, send }
}
