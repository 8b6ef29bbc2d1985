import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseInput } from '../../packages/core/src/kernel/parse-input.ts'
import { getInputReader } from '../../packages/http/src/request/input-reader.ts'
import { InvalidParametersError, parseQuery } from '../../packages/http/src/request/parameters.ts'
import { routes } from '../../packages/http/src/routes.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { newGpgKey } from '../contract/gpg-keys.ts'
import { newSshKey } from '../contract/ssh-keys.ts'
import { normalizeRoute } from '../coverage/documented-routes.ts'
import { reportFigures } from '../figures.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { dialect, preparedWorld } from '../world.ts'
import { asText, databaseValues, encode, formatPairs, hostileValues } from './hostile-values.ts'

/**
 * Sends hostile input to every route. The response must have a documented shape, must not be a server error, and must not reveal
 * internals. Each request has a hostile value in one parameter and valid values in all others.
 */

let forge: FakeForge
let ids: Readonly<Record<string, string | number>>
let restore: () => Promise<void>
const logged: unknown[] = []
beforeAll(async () => {
  const logger = { info: () => undefined, error: (entry: object) => void logged.push(entry) }
  const prepared = await preparedWorld({ seed: fullSeed, http: { logger } }, readAllIds)
  forge = prepared.forge
  ids = prepared.prepared
  restore = prepared.restore
})
afterAll(async () => {
  await forge.close()
  reportFigures('hostile input', { 'hostile requests': checked })
})

let checked = 0

const long = 'x'.repeat(1_000_001)

const picture = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

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
  const { ciVariables, instanceVariables } = forge.host
  for (const create of [
    () => ciVariables.create({ project: 'acme/web', ...variable }),
    () => ciVariables.create({ group: 'acme', ...variable }),
    () => instanceVariables.create(variable),
  ])
    await create().catch(() => undefined)
}

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
  'PUT /projects/:id/issues/:issue_iid/reorder': { move_after_id: 1 },
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

const addEmail = (user: string | number) => async () => {
  const { id } = await forge.host.emails.create({ user, email: `more${checked}@example.org` })
  ids = { ...ids, email_id: id }
}

/** Sends an event to a hook. */
const deliver = async (parent: object, hook: unknown) => {
  await forge.host.issues.create({ project: 'acme/web', title: 'Event', author: 'bob' })
  await forge.host.hooks.update({ ...(parent as { group: string }), hook: Number(hook), issuesEvents: true })
  await forge.host.issues.create({ project: 'acme/web', title: 'Event', author: 'bob' })
  await forge.hooks.drain()
  const { items } = await forge.host.hooks.deliveries({ ...(parent as { group: string }), hook: Number(hook) })
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
  await forge.host.repository.commit({ project: 'acme/web', commits })
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
  'POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend': () => deliver({ project: 'acme/web' }, ids.hook_id),
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
    forge.host.shares.add({ project: 'acme/web', withGroup: 'acme/tools', accessLevel: 30 }),
  'DELETE /groups/:id/share/:group_id': () =>
    forge.host.shares.add({ group: 'acme', withGroup: 'acme/tools', accessLevel: 30 }),
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

const pathIds = (route: Route): Readonly<Record<string, unknown>> => {
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

interface RequestValues {
  readonly path: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, unknown>>
}

const formatQuery = (parameters: RequestValues['parameters']) =>
  Object.entries(parameters)
    .flatMap(([name, value]) => formatPairs(name, value))
    .join('&')

/** Invalid input; no valid token, after a request that has replaced it; a long query. */
const rejections: readonly number[] = [400, 401, 414]

/**
 * Whether the operation rejects its input, which it does before any statement about it. The requests are sent on SQLite only,
 * with a test of their status.
 */
const isRejectedInput = (route: Route, { path, parameters }: RequestValues): boolean => {
  if (route.rewrite || route.body !== undefined || route.stream !== undefined || toFormData(parameters)) return false
  const texts = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, asText(value ?? 1)]))
  try {
    const sent = route.method === 'GET' ? parseQuery(formatQuery(parameters)) : JSON.parse(JSON.stringify(parameters))
    return parseInput(route.operation, getInputReader(route).read(texts, sent)).problems !== undefined
  } catch (error) {
    if (error instanceof InvalidParametersError) return true
    throw error
  }
}

const buildPath = ({ path }: Route, values: RequestValues['path']) =>
  path.replace(/:([a-z_]+)/g, (_, name: string) => encode(values[name] ?? 1))

/** A multipart body, if one of the parameters is a file. */
const toFormData = (parameters: RequestValues['parameters']): FormData | undefined => {
  const entries = Object.entries(parameters)
  if (!entries.some(([, value]) => value instanceof File)) return undefined
  const form = new FormData()
  for (const [name, value] of entries) form.set(name, value instanceof File ? value : asText(value))
  return form
}

const send = (route: Route, { path, parameters }: RequestValues): Promise<Response> => {
  const scim = route.path.startsWith('/api/scim')
  const reads = route.method === 'GET'
  const query = reads ? formatQuery(parameters) : ''
  const form = toFormData(parameters)
  return forge.fetch(`${forge.url}${buildPath(route, path)}${query ? `?${query}` : ''}`, {
    method: route.method,
    headers: {
      ...(scim ? { authorization: 'Bearer acme-scim' } : { 'private-token': 'root-token' }),
      ...(!reads && !form && { 'content-type': scim ? 'application/scim+json' : 'application/json' }),
    },
    ...(!reads && { body: form ?? JSON.stringify(parameters) }),
  })
}

const shapes = [
  ['message'],
  ['error_code', 'message'],
  ['error'],
  ['error', 'error_description'],
  ['error', 'error_description', 'scope'],
]
const scimShape = [
  ['detail', 'schemas', 'status'],
  ['detail', 'schemas', 'scimType', 'status'],
]

/** Text that must never be in a response. */
const internals =
  /\bat [^"]*\.(ts|js):\d|node_modules|packages\/|SQLITE|sqlite|syntax error|relation "|hushsecret|Cannot read|is not a function/

const faultOf = async (route: Route, response: Response): Promise<string | undefined> => {
  checked++
  const text = await response.text()
  if (response.status >= 500) return `${response.status} ${text.slice(0, 200)}`
  if (response.headers.get('x-content-type-options') !== 'nosniff') return 'nosniff is missing'
  if (response.status < 400) return /hushsecret/.test(text) ? 'contains a secret' : undefined
  if (internals.test(text)) return `reveals internals: ${text.slice(0, 200)}`
  if (text.length > 4_000) return `an error of ${text.length} characters`
  if (!/^application\/(scim\+)?json/.test(response.headers.get('content-type') ?? '')) return 'not JSON'
  const keys = Object.keys(JSON.parse(text)).toSorted().join()
  const allowed = route.path.startsWith('/api/scim') ? scimShape : shapes
  return allowed.some((shape) => shape.join() === keys) ? undefined : `an unknown shape: ${text.slice(0, 200)}`
}

const format = (value: unknown) => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const usageCounts = new Map<string, number>()
/** Other values are rejected before any statement, so they are sent on one database only. */
const values = dialect === 'postgres' ? databaseValues : hostileValues

/**
 * The number of routes that receive all values of a parameter, and of the parts into which the values are divided for the others.
 * `FORGELET_HOSTILE_INPUT=long` sets those of `pnpm test:trust`.
 */
const [fullRoutes, parts] = process.env.FORGELET_HOSTILE_INPUT === 'long' ? [2, 6] : [1, 12]

/** The first routes with a parameter receive all hostile values, later ones a part of them in rotation. */
const valuesFor = (name: string): readonly unknown[] => {
  const count = usageCounts.get(name) ?? 0
  usageCounts.set(name, count + 1)
  return count < fullRoutes ? values : values.filter((_, at) => at % parts === count % parts)
}

/** Routes with at least one successful response. */
const succeeded = new Set<string>()

const tryRoute = async (route: Route): Promise<string[]> => {
  const { fields } = getInputReader(route)
  const usual = route.path.startsWith('/api/scim') ? scimBody : validValues
  const line = `${route.method} ${route.path.replace('/api/v4', '')}`
  const parameters: Record<string, unknown> = {
    ...Object.fromEntries(
      fields
        .filter(({ inPath, schema, wire }) => !inPath && (isRequired(schema) || route.required.includes(wire)))
        .map(({ wire }) => [wire, usual[wire as keyof typeof usual] ?? ids[wire] ?? 'x']),
    ),
    ...(line.endsWith('/members') && route.method === 'POST' && { user_id: ids.requester }),
    ...(/^PUT .*\/discussions\/.*\/notes\//.test(line) && { body: 'Better' }),
    ...(line.endsWith('/lists') && route.method === 'POST' && { label_id: ids.list_label }),
    ...routeValues[line],
  }
  if (route.body !== undefined) Object.assign(parameters, scimBody)
  const faults: string[] = []
  const check = async (what: string, sent: RequestValues, isRejected = false) => {
    if (isRejected && dialect === 'postgres') return
    const response = await send(route, sent)
    if (response.status < 400) succeeded.add(normalizeRoute(line))
    const fault = await faultOf(route, response)
    if (fault) faults.push(`${what}: ${fault}`)
    if (isRejected && !rejections.includes(response.status))
      faults.push(`${what}: ${response.status} for rejected input`)
  }
  await preparations[line]?.()
  const path = pathIds(route)
  await check('valid values', { path, parameters })
  for (const { wire, inPath } of fields) {
    for (const value of valuesFor(wire)) {
      const sent = inPath
        ? { path: { ...path, [wire]: value === '' ? ' ' : value }, parameters }
        : { path, parameters: { ...parameters, [wire]: value } }
      await check(`${wire} = ${format(value)}`, sent, !inPath && isRejectedInput(route, sent))
    }
  }
  if (route.method !== 'GET') {
    for (const { wire, inPath } of fields) {
      if (inPath || (usageCounts.get(wire) ?? 0) > 1) continue
      const sent = { path, parameters: { ...parameters, [wire]: long } }
      await check(`${wire} is long`, sent, isRejectedInput(route, sent))
    }
  }
  return faults
}

describe('a hostile value in each parameter', () => {
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (_, route) => {
      const faults = await tryRoute(route)
      if (route.method !== 'GET') await restore()
      expect([...faults, ...logged.splice(0)]).toEqual([])
      expect(({} as { polluted?: number }).polluted).toBeUndefined()
    },
    180_000,
  )

  test('nearly every route also succeeded with valid input', () => {
    const lines = routes.map(({ method, path }) => `${method} ${path.replace('/api/v4', '')}`)
    const missed = lines.filter((line) => !succeeded.has(normalizeRoute(line)))
    // Administrators cannot request access and are no bots, the fingerprint is unknown, and seeded snippets have no user agent.
    const cannotSucceed = [
      'GET /job',
      'GET /keys',
      'GET /snippets/:id/user_agent_detail',
      'GET /projects/:id/snippets/:snippet_id/user_agent_detail',
      'POST /groups/:id/access_requests',
      'POST /projects/:id/access_requests',
      'PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals',
    ]
    const unexpected = missed.filter((line) => !cannotSucceed.includes(line))
    expect(
      unexpected.map((line) => `${line} never succeeded: add valid input to usual, routeValues or pathIds`),
    ).toEqual([])
    expect(cannotSucceed.filter((line) => !missed.includes(line))).toEqual([])
  })
})

describe.skipIf(dialect === 'postgres')('an invalid body', () => {
  const bodies: [string, string, string | Uint8Array][] = [
    ['truncated JSON', 'application/json', '{"a":'],
    ['JSON nested too deeply', 'application/json', `${'['.repeat(10_000)}`],
    ['an array', 'application/json', '[1,2]'],
    ['a string', 'application/json', '"x"'],
    ['null', 'application/json', 'null'],
    ['names of built-in properties', 'application/json', '{"__proto__":{"polluted":1},"constructor":1,"toString":[]}'],
    ['invalid UTF-8', 'application/json', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['XML', 'text/xml', '<a/>'],
    ['bytes', 'application/octet-stream', Uint8Array.of(0, 1, 2)],
    ['a form with invalid percent encoding', 'application/x-www-form-urlencoded', 'a=%ZZ&b=%&a[]=1&a[b]=2'],
    ['multipart without a boundary', 'multipart/form-data', 'x'],
    [
      'multipart without an end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
    ],
    ['an unsupported charset', 'application/json; charset=utf-16', '{}'],
    ['an invalid content type', ';;;', '{}'],
  ]
  const writing = routes.filter(({ method }) => method !== 'GET')

  test.each(bodies)('%s', async (_, type, body) => {
    const faults: string[] = []
    for (const route of writing) {
      const scim = route.path.startsWith('/api/scim')
      const response = await forge.fetch(`${forge.url}${buildPath(route, pathIds(route))}`, {
        method: route.method,
        headers: {
          ...(scim ? { authorization: 'Bearer acme-scim' } : { 'private-token': 'root-token' }),
          'content-type': type,
        },
        body: body as string,
      })
      const fault = await faultOf(route, response)
      if (fault) faults.push(`${route.method} ${route.path}: ${fault}`)
    }
    await restore()
    expect([...faults, ...logged.splice(0)]).toEqual([])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe.skipIf(dialect === 'postgres')('an invalid query', () => {
  const queries = [
    'a=%ZZ',
    '%',
    '=&=&&&',
    '__proto__[a]=1&constructor[prototype][b]=1',
    'page=1&page[]=2&page[a]=3',
    'per_page[]=1&per_page=2',
    'page=99999999999999999999',
    'per_page=-1',
    `${'a[b]'.repeat(50)}=1`,
    Array.from({ length: 1_500 }, (_, at) => `k${at}=1`).join('&'),
    'private_token=&access_token=',
    `search=${'%25_'.repeat(1_000)}`,
    'sudo=',
  ]
  test.each(queries)('?%s', async (query) => {
    const faults: string[] = []
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const scim = route.path.startsWith('/api/scim')
      const response = await forge.fetch(`${forge.url}${buildPath(route, pathIds(route))}?${query}`, {
        headers: scim ? { authorization: 'Bearer acme-scim' } : { 'private-token': 'root-token' },
      })
      const fault = await faultOf(route, response)
      if (fault) faults.push(`${route.method} ${route.path}: ${fault}`)
    }
    expect([...faults, ...logged.splice(0)]).toEqual([])
  })
})
