import type { FakeForge } from '@forgelet/fixtures'
import { findOwnExample, isShownInSamples } from '../../packages/http/src/openapi/examples.ts'
import { createExampleParameters } from '../../packages/http/src/openapi/operations.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { writeSignedObjects } from '../support/signed-objects.ts'
import { asText, encode, formatPairs } from './hostile-values.ts'

const picture = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

/** The start of an archive: an import accepts it, and its job reports that it is damaged. */
const archive = new File([new Uint8Array([0x1f, 0x8b, 8, 0])], 'archive.tar.gz')

const file = new File(['A text'], 'a.txt')

/** Values that the examples do not have: files, and those that depend on objects of `fullSeed`. */
const routeValues: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // The examples describe these objects, which exist.
  'POST /projects/:id/merge_requests': { source_branch: 'main', target_branch: 'cache-home' },
  'POST /projects/:id/environments': { name: 'staging' },
  'POST /projects/:id/wikis': { title: 'docs/Deploy' },
  'POST /groups/:id/wikis': { title: 'docs/Deploy' },
  'POST /projects/import': { file: archive },
  'POST /groups/import': { file: archive },
  'POST /projects/:id/uploads': { file },
  'POST /projects/:id/wikis/attachments': { file },
  'POST /groups/:id/wikis/attachments': { file },
  'POST /projects/:id/secure_files': { file },
  'PUT /user/avatar': { avatar: new File([picture], 'a.gif') },
}

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

  const createPullMirror = () =>
    forge.host.projects.update({ project: 'acme/web', mirror: true, importUrl: 'https://git.invalid/web.git' })

  /** Uploads pictures of the administrator, a project, a group, topics and the instance. */
  const setPictures = async () => {
    const avatar = { fileName: 'a.gif', content: picture }
    await forge.host.users.update({ user: Number(ids.user_id), avatar })
    await forge.host.projects.update({ project: 'acme/web', avatar })
    await forge.host.groups.update({ group: 'acme', avatar })
    for (const { id } of (await forge.host.topics.list()).items) await forge.host.topics.update({ topic: id, avatar })
    await forge.host.appearances.update({ logo: avatar, headerLogo: avatar, favicon: avatar, pwaIcon: avatar })
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
  const addSubmodule = () => {
    const author = { name: 'Bob', email: 'bob@example.com' }
    const files = [{ path: 'libs/core', submodule: 'a'.repeat(40) }]
    return forge.host.commits.import({ project: 'acme/web', commits: [{ message: 'Add', author, files }] })
  }

  const sign = async () => {
    const { directory = '' } = await forge.host.repository.get({ project: 'acme/web' })
    writeSignedObjects(directory)
  }

  const protectReferences = async () => {
    const { items } = await forge.host.protectedBranches.list({ project: 'acme/web', search: 'locked' })
    if (items.length) return
    await forge.host.protectedBranches.create({ project: 'acme/web', name: 'locked' })
    await forge.host.protectedTags.create({ project: 'acme/web', name: 'locked' })
    await forge.host.protectedBranches.create({ group: 'acme', name: 'locked' })
  }

  const createArchive = (container: { project: string } | { group: string }) => async () => {
    await forge.host.exports.create(container as { project: string })
    await forge.platform.jobs.drain()
  }

  const changeState = (state: 'block' | 'ban' | 'deactivate') => () =>
    forge.host.users[state]({ user: Number(ids.user_id) })

  const awaitApproval = async () => {
    const { id } = await forge.host.users.create({ username: `waiting${count++}`, pendingApproval: true })
    ids = { ...ids, user_id: id }
  }

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
    'POST /users/:id/approve': awaitApproval,
    'POST /users/:id/reject': awaitApproval,
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
    'GET /projects/:id/repository/commits/:sha/signature': sign,
    'GET /projects/:id/repository/tags/:tag_name/signature': sign,
    'PUT /projects/:id/repository/submodules/:submodule': addSubmodule,
    'POST /projects/:id/push_rule': () => forge.host.pushRules.remove({ project: 'acme/web' }),
    'POST /groups/:id/unarchive': () => forge.host.groups.archive({ group: 'acme' }),
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
    'GET /uploads/-/system/projects/topic/avatar/:id/:filename': setPictures,
    'GET /uploads/-/system/appearance/logo/1/:filename': setPictures,
    'GET /uploads/-/system/appearance/header_logo/1/:filename': setPictures,
    'GET /uploads/-/system/appearance/favicon/1/:filename': setPictures,
    'GET /uploads/-/system/appearance/pwa_icon/1/:filename': setPictures,
    'GET /projects/:id/protected_branches/:name': () => protectReferences(),
    'PATCH /projects/:id/protected_branches/:name': () => protectReferences(),
    'DELETE /projects/:id/protected_branches/:name': () => protectReferences(),
    'GET /groups/:id/protected_branches/:name': () => protectReferences(),
    'PATCH /groups/:id/protected_branches/:name': () => protectReferences(),
    'DELETE /groups/:id/protected_branches/:name': () => protectReferences(),
    'GET /projects/:id/protected_tags/:name': () => protectReferences(),
    'DELETE /projects/:id/protected_tags/:name': () => protectReferences(),
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
    'POST /runners': () => forge.host.runners.resetRegistrationToken({ secret: 'GR1348941example' }),
    'POST /projects/:id/runners': () =>
      forge.host.runners.disable({ project: 'acme/web', runner: Number(ids.runner_id) }),
    'GET /projects/:id/mirror/pull': createPullMirror,
    'PUT /projects/:id/mirror/pull': createPullMirror,
    'POST /projects/:id/mirror/pull': createPullMirror,
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
      suggestions: ids.suggestion_id,
      namespaces: 'acme',
      personal_access_tokens: ids.own_token,
      topics: ids.topic,
      broadcast_messages: ids.broadcast,
      audit_events: ids.project_audit_event,
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
      ...(route.path.endsWith('/approval') && { deployment_id: ids.blocked_deployment }),
      ...(route.path.includes('/ref/:ref') && { ref: 'main' }),
      ...(/\/(avatar|appearance)\//.test(route.path) && { filename: 'a.gif' }),
      ...(route.path.includes('/hooks/:') && { trigger: 'issues_events' }),
      ...(/projects.*members.:user_id/.test(route.path) && { user_id: ids.reporter }),
      ...(note && {
        note_id: ids[`${note}_note`],
        resource_label_event_id: ids[`${note}_label_event`],
        resource_milestone_event_id: ids[`${note}_milestone_event`],
        resource_state_event_id: ids[`${note}_state_event`],
        resource_weight_event_id: ids[`${note}_weight_event`],
      }),
      ...(route.method === 'POST' && route.path.includes(':child_epic_id') && { child_epic_id: ids.other_epic_id }),
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
      ...(/projects.*audit_events/.test(route.path) && { audit_event_id: ids.project_audit_event }),
      ...(/groups.*audit_events/.test(route.path) && { audit_event_id: ids.group_audit_event }),
      ...(/projects.*access_tokens/.test(route.path) && { token_id: ids.project_token }),
      ...(/groups.*access_tokens/.test(route.path) && { token_id: ids.group_token }),
      ...(/projects.*deploy_tokens/.test(route.path) && { token_id: ids.project_deploy_token }),
      ...(/groups.*deploy_tokens/.test(route.path) && { token_id: ids.group_deploy_token }),
      ...(/groups?.:id.uploads/.test(route.path) && { secret: ids.group_secret, upload_id: ids.group_upload }),
      ...(route.path.includes('/scim_tokens/') && { token_id: ids.scim_token }),
      ...(/(?:saml|scim).:uid/.test(route.path) && { uid: 'bob-1' }),
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
      ...(route.path.endsWith('/licenses/:key') && { key: 'mit' }),
      ...(route.path.includes('/packages/generic/') && { file_name: 'a.txt' }),
      ...(/\/(?:repository|releases)\/tags\/:tag_name/.test(route.path) && { tag_name: 'release-1' }),
      submodule: 'libs/core',
      ...(route.path.includes('/feature_flags_user_lists/:') && { iid: 1 }),
      ...(route.path.includes('/branches/:') && { branch: route.method === 'DELETE' ? 'cache-home' : 'main' }),
      ...(route.path.includes('/files/:') && { file_path: route.method === 'POST' ? 'new.txt' : 'README.md' }),
      ...(route.path.includes('/snippets/') && { file_path: 'hello.sh', ref: 'main' }),
      ...(route.path.includes('/statuses/:sha') && { sha: 'main' }),
      ...(route.path.endsWith('jobs/:job_id/play') && { job_id: ids.manual_job }),
      ...(route.path.includes('/commits/:sha') && { sha: route.path.endsWith('/cherry_pick') ? 'cache-home' : 'main' }),
      ...(route.path.endsWith('/signature') && { tag_name: 'signed', sha: 'signed' }),
      key_id: route.path.includes('/deploy_keys/') ? ids.deploy_key : route.path.includes('/user/') ? ids.own_key : 1,
      ...(route.path.includes('/features/:name') && { name: 'new_pages' }),
      ...(route.path.includes('/gpg_keys/') && {
        key_id: route.path.includes('/user/') ? ids.own_gpg_key : ids.gpg_key,
      }),
      group_id: 'acme/tools',
      ...(route.path.endsWith('/exists') && { path: 'acme' }),
      forked_from_id: 'acme/web',
      project_id: /(import_project_members|groups.*projects).:project_id/.test(route.path) ? 'bob/notes' : 'acme/web',
      id: route.path.startsWith('/api/scim') ? scimId(route) : (findOwnExample(route, 'id') ?? own ?? 'acme/web'),
      ...(route.path.startsWith('/-/group/') && { id: 'acme' }),
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

  /** The examples of the OpenAPI document, with the ids of objects that exist. */
  const getParameters = (route: Route): RequestValues['parameters'] => {
    const line = toLine(route)
    return {
      ...Object.fromEntries(
        Object.entries(createExampleParameters(route)).map(([name, value]) => [
          name,
          isShownInSamples(route, name) || !name.endsWith('id') ? value : (ids[name] ?? value),
        ]),
      ),
      ...routeValues[line],
    }
  }

  const prepare = async (route: Route): Promise<RequestValues> => {
    // An earlier preparation may have named a user who is gone.
    ids = { ...ids, ...(allIds.user_id !== undefined && { user_id: allIds.user_id }) }
    await preparations[toLine(route)]?.()
    return { path: getPath(route), parameters: getParameters(route) }
  }

  return { prepare, getPath, send }
}
