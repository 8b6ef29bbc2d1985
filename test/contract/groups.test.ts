import type { FakeForge, Seed } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withStorages } from '../storage-names.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

const token = (username: string) => [{ name: 'test', secret: `${username}-token`, scopes: ['api'] as const }]

/**
 * `ann` is a developer of `north/inner`, `olaf` owns `north`, `pete` is a guest of one project in `hidden`, `zoe` belongs
 * nowhere.
 */
const seed: Seed = {
  users: ['root', 'ann', 'olaf', 'pete', 'zoe', 'eve'].map((username) => ({
    username,
    name: username.toUpperCase(),
    admin: username === 'root',
    external: username === 'eve',
    tokens: token(username) as never,
  })),
  groups: [
    {
      path: 'north',
      name: 'North',
      visibility: 'public',
      members: [{ user: 'olaf', access: 'owner' }],
      customAttributes: [
        { key: 'tier', value: 'gold' },
        { key: 'place', value: 'oslo' },
      ],
    },
    { path: 'north/inner', name: 'Inner', visibility: 'private', members: [{ user: 'ann', access: 'developer' }] },
    { path: 'north/inner/core', name: 'Core', visibility: 'private' },
    { path: 'open', name: 'Open', visibility: 'public', customAttributes: [{ key: 'tier', value: 'gold' }] },
    { path: 'house', name: 'House', visibility: 'internal' },
    { path: 'hidden', name: 'Hidden', visibility: 'private', settings: { mentionsDisabled: true } },
    { path: 'guests', name: 'Guests', visibility: 'private' },
  ],
  projects: [
    {
      path: 'north/web',
      name: 'Web',
      description: 'The site of the north',
      visibility: 'public',
      createdAt: '2026-01-01T00:00:00Z',
      shares: [
        { group: 'guests', access: 'reporter' },
        { group: 'open', access: 'developer' },
      ],
      stars: ['ann', 'zoe'],
      size: { repositorySize: 100, wikiSize: 5 },
      issues: [
        { title: 'One', author: 'olaf' },
        { title: 'Secret', author: 'olaf', confidential: true },
      ],
    },
    {
      path: 'north/inner/tool',
      name: 'Tool',
      visibility: 'private',
      createdAt: '2026-01-02T00:00:00Z',
      size: { packagesSize: 7 },
      hasSecurityReports: true,
    },
    { path: 'north/old', name: 'Old', visibility: 'public', archived: true, createdAt: '2026-01-03T00:00:00Z' },
    {
      path: 'hidden/lab',
      name: 'Lab',
      visibility: 'private',
      members: [{ user: 'pete', access: 'guest' }],
      shares: [{ group: 'north', access: 'guest' }],
    },
    { path: 'zoe/copy', name: 'Copy', visibility: 'public', forkedFrom: 'north/web' },
  ],
}

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed })
  send = client(forge)
})
afterEach(() => forge.close())

const paths = ({ body }: { body: { full_path: string }[] }) => body.map(({ full_path }) => full_path)
const projectPaths = ({ body }: { body: { path_with_namespace: string }[] }) =>
  body.map(({ path_with_namespace }) => path_with_namespace)

const groupFields = {
  id: expect.any(Number),
  web_url: 'http://forge.test/groups/north',
  name: 'North',
  path: 'north',
  description: '',
  visibility: 'public',
  share_with_group_lock: false,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  project_creation_level: 'developer',
  auto_devops_enabled: null,
  subgroup_creation_level: 'owner',
  emails_disabled: null,
  mentions_disabled: null,
  lfs_enabled: true,
  default_branch_protection: 2,
  default_branch_protection_defaults: {
    allowed_to_push: [{ access_level: 40 }],
    allow_force_push: false,
    allowed_to_merge: [{ access_level: 40 }],
    code_owner_approval_required: false,
    developer_can_initial_push: false,
  },
  duo_availability: 'default_off',
  experiment_features_enabled: false,
  organization_id: 1,
  wiki_access_level: 'enabled',
  avatar_url: null,
  request_access_enabled: true,
  full_name: 'North',
  full_path: 'north',
  created_at: expect.any(String),
  parent_id: null,
  file_template_project_id: null,
  archived: false,
  marked_for_deletion_on: null,
  auto_duo_code_review_enabled: false,
  default_branch: null,
  duo_core_features_enabled: false,
  duo_features_enabled: false,
  emails_enabled: true,
  lock_duo_features_enabled: false,
  lock_math_rendering_limits_enabled: false,
  math_rendering_limits_enabled: true,
  max_artifacts_size: null,
  shared_runners_setting: 'enabled',
  show_diff_preview_in_email: true,
  web_based_commit_signing_enabled: false,
}

/** Settings that only single groups have. */
const restrictions = {
  membership_lock: false,
  prevent_forking_outside_group: false,
  prevent_sharing_groups_outside_hierarchy: false,
  enabled_git_access_protocol: 'all',
  allowed_email_domains_list: '',
  shared_runners_minutes_limit: null,
  extra_shared_runners_minutes_limit: null,
}

describe('GET /groups', () => {
  test('a group answers with the documented fields and no others', async () => {
    const { body, status } = await send('GET /groups?search=north')
    expect(status).toBe(200)
    expect(body).toEqual([groupFields])
  })

  test('nobody gets public groups, people their own with all above and below, administrators all', async () => {
    expect(paths(await send('GET /groups'))).toEqual(['north', 'open'])
    expect(paths(await send('GET /groups', { as: 'zoe' }))).toEqual([])
    expect(paths(await send('GET /groups', { as: 'ann' }))).toEqual(['north/inner/core', 'north/inner', 'north'])
    expect(paths(await send('GET /groups', { as: 'pete' }))).toEqual(['hidden'])
    expect(paths(await send('GET /groups', { as: 'root' }))).toHaveLength(7)
    expect(paths(await send('GET /groups?all_available=false', { as: 'root' }))).toEqual([])
  })

  test('all_available adds what is open to the caller', async () => {
    expect(paths(await send('GET /groups?all_available=true', { as: 'zoe' }))).toEqual(['house', 'north', 'open'])
    expect(paths(await send('GET /groups?all_available=true', { as: 'eve' }))).toEqual(['north', 'open'])
    expect(paths(await send('GET /groups?all_available=true'))).toEqual(['north', 'open'])
  })

  test('owned goes before min_access_level, and both before all_available', async () => {
    const all = 'all_available=true'
    expect(paths(await send(`GET /groups?owned=true&${all}`, { as: 'ann' }))).toEqual([])
    expect(paths(await send(`GET /groups?min_access_level=30&${all}`, { as: 'ann' }))).toEqual([
      'north/inner/core',
      'north/inner',
    ])
    expect(paths(await send('GET /groups?min_access_level=40', { as: 'ann' }))).toEqual([])
    expect(paths(await send('GET /groups?owned=true&min_access_level=10', { as: 'olaf' }))).toEqual([
      'north/inner/core',
      'north/inner',
      'north',
    ])
    expect(paths(await send('GET /groups?owned=true', { as: 'root' }))).toEqual([])
  })

  test('min_access_level accepts the levels between', async () => {
    const all = ['north/inner/core', 'north/inner']
    expect(paths(await send('GET /groups?min_access_level=5', { as: 'ann' }))).toEqual(all)
    expect(paths(await send('GET /groups?min_access_level=15', { as: 'pete' }))).toEqual([])
    expect(paths(await send('GET /groups?min_access_level=25', { as: 'ann' }))).toEqual(all)
  })

  test('order_by=similarity lists equal names first, then those with the same beginning', async () => {
    for (const path of ['far-north', 'northern'])
      await forge.host.groups.create({ path, name: path, visibility: 'public' })
    const ordered = 'GET /groups?order_by=similarity&search=north'
    expect(paths(await send(ordered))).toEqual(['north', 'northern', 'far-north'])
    expect(paths(await send(`${ordered}&sort=desc`))).toEqual(['north', 'northern', 'far-north'])
    expect(paths(await send('GET /groups?order_by=similarity'))).toEqual(['north', 'open', 'far-north', 'northern'])
  })

  test('repository_storage is the storage of new groups, for administrators', async () => {
    await using forge = await world({ seed, ...withStorages('fast') })
    const send = client(forge)
    await forge.host.settings.update({ repositoryStorages: ['fast'] })
    await forge.host.groups.create({ path: 'swift', visibility: 'public' })
    expect(paths(await send('GET /groups?repository_storage=fast', { as: 'root' }))).toEqual(['swift'])
    expect((await send('GET /groups/swift', { as: 'root' })).body).toMatchObject({ repository_storage: 'fast' })
    expect(paths(await send('GET /groups?repository_storage=fast'))).toContain('north')
    expect((await send('GET /groups/swift')).body).not.toHaveProperty('repository_storage')
  })

  test('narrows, skips and orders', async () => {
    const { id } = (await send('GET /groups/open')).body
    expect(paths(await send('GET /groups?top_level_only=true', { as: 'ann' }))).toEqual(['north'])
    expect(paths(await send(`GET /groups?skip_groups[]=${id}`))).toEqual(['north'])
    expect(paths(await send('GET /groups?sort=desc'))).toEqual(['open', 'north'])
    expect(paths(await send('GET /groups?order_by=id&sort=desc'))).toEqual(['open', 'north'])
    expect(paths(await send('GET /groups?order_by=path&search=inner', { as: 'olaf' }))).toEqual(['north/inner'])
    const { headers } = await send('GET /groups?per_page=1')
    expect(headers.get('x-total')).toBe('2')
  })

  test('statistics and custom attributes are for administrators', async () => {
    const asked = 'GET /groups?search=north&statistics=true&with_custom_attributes=true'
    const [shown] = (await send(asked, { as: 'root' })).body
    expect(shown.statistics).toEqual({
      storage_size: 112,
      repository_size: 100,
      wiki_size: 5,
      lfs_objects_size: 0,
      job_artifacts_size: 0,
      pipeline_artifacts_size: 0,
      packages_size: 7,
      snippets_size: 0,
      uploads_size: 0,
    })
    expect(shown.root_storage_statistics).toEqual({
      storage_size: 112,
      repository_size: 100,
      wiki_size: 5,
      lfs_objects_size: 0,
      build_artifacts_size: 0,
      pipeline_artifacts_size: 0,
      packages_size: 7,
      snippets_size: 0,
      uploads_size: 0,
      container_registry_size: 0,
      container_registry_size_is_estimated: false,
      dependency_proxy_size: 0,
    })
    const [below] = (await send('GET /groups/north/subgroups?statistics=true', { as: 'root' })).body
    expect(below).toMatchObject({ statistics: { storage_size: 7 } })
    expect(below).not.toHaveProperty('root_storage_statistics')
    expect(shown.custom_attributes).toEqual([
      { key: 'tier', value: 'gold' },
      { key: 'place', value: 'oslo' },
    ])
    expect((await send(asked, { as: 'olaf' })).body).toEqual([groupFields])
    expect((await send('GET /groups', { as: 'root' })).body[0]).not.toHaveProperty('statistics')
    const kept = 'custom_attributes[tier]=gold&custom_attributes[place]=oslo'
    expect(paths(await send(`GET /groups?${kept}`, { as: 'root' }))).toEqual(['north'])
    expect(paths(await send('GET /groups?custom_attributes[tier]=gold', { as: 'root' }))).toEqual(['north', 'open'])
    expect(paths(await send('GET /groups?custom_attributes[tier]=lead'))).toEqual(['north', 'open'])
  })

  test.each(['order_by=size', 'sort=up', 'min_access_level=45'])('refuses %s', async (query) => {
    const name = query.slice(0, query.indexOf('='))
    expect(await send(`GET /groups?${query}`)).toMatchObject({
      status: 400,
      body: { error: `${name} does not have a valid value` },
    })
  })
})

test('GET /groups/:id/subgroups lists those directly below', async () => {
  expect(paths(await send('GET /groups/north/subgroups', { as: 'olaf' }))).toEqual(['north/inner'])
  expect(paths(await send('GET /groups/north%2Finner/subgroups', { as: 'ann' }))).toEqual(['north/inner/core'])
  expect(paths(await send('GET /groups/north/subgroups'))).toEqual([])
  expect(await send('GET /groups/hidden/subgroups')).toMatchObject({
    status: 404,
    body: { message: '404 Group Not Found' },
  })
})

describe('GET /groups/:id', () => {
  const details = ['shared_with_groups', 'projects', 'shared_projects']

  test('adds shares and projects, and the token for owners and administrators only', async () => {
    const seen = (await send('GET /groups/north')).body
    expect(Object.keys(seen).sort()).toEqual([...Object.keys({ ...groupFields, ...restrictions }), ...details].sort())
    expect(projectPaths({ body: seen.projects })).toEqual(['north/old', 'north/web'])
    const { body } = await send('GET /groups/north', { as: 'olaf' })
    expect(body.runners_token).toMatch(/^[\w-]{27}$/)
    expect((await send('GET /groups/north', { as: 'root' })).body.runners_token).toBe(body.runners_token)
    expect((await send('GET /groups/north%2Finner', { as: 'ann' })).body).not.toHaveProperty('runners_token')
    expect((await send('GET /groups', { as: 'root' })).text).not.toContain('runners_token')
  })

  test('without projects there are no shares and no token either', async () => {
    const { body } = await send('GET /groups/north?with_projects=false', { as: 'root' })
    expect(body).toEqual({ ...groupFields, ...restrictions, repository_storage: 'default' })
  })

  test('shared projects are those of others, as far as they are seen', async () => {
    expect(projectPaths({ body: (await send('GET /groups/open')).body.shared_projects })).toEqual(['north/web'])
    expect((await send('GET /groups/north')).body.shared_projects).toEqual([])
    const member = (await send('GET /groups/north', { as: 'olaf' })).body
    expect(projectPaths({ body: member.shared_projects })).toEqual(['hidden/lab'])
  })

  test('whoever sees only a project of a hidden group sees no more of it', async () => {
    await forge.host.shares.create({ group: 'hidden', withGroup: 'guests', accessLevel: 10 })
    await forge.host.shares.create({ group: 'hidden', withGroup: 'open', accessLevel: 10 })
    const { body } = await send('GET /groups/hidden', { as: 'pete' })
    expect(body.shared_with_groups).toEqual([
      {
        group_id: expect.any(Number),
        group_name: 'Open',
        group_full_path: 'open',
        group_access_level: 10,
        expires_at: null,
      },
    ])
    expect(body).toMatchObject({ mentions_disabled: true })
    expect(body).not.toHaveProperty('runners_token')
    expect(await send('GET /groups/hidden', { as: 'zoe' })).toMatchObject({ status: 404 })
  })

  test('at most a hundred projects come along', async () => {
    for (let count = 0; count < 101; count++) {
      await forge.host.projects.create({ namespace: 'open', name: `p${count}`, visibility: 'public' })
    }
    expect((await send('GET /groups/open')).body.projects).toHaveLength(100)
  })
})

describe('GET /groups/:id/projects', () => {
  test('own and shared projects, newest first', async () => {
    expect(projectPaths(await send('GET /groups/north/projects'))).toEqual(['north/old', 'north/web'])
    expect(projectPaths(await send('GET /groups/open/projects'))).toEqual(['north/web'])
    expect(projectPaths(await send('GET /groups/open/projects?with_shared=false'))).toEqual([])
    expect(projectPaths(await send('GET /groups/north/projects?include_subgroups=true', { as: 'ann' }))).toEqual([
      'north/old',
      'north/inner/tool',
      'north/web',
    ])
  })

  test.each([
    ['archived=false', ['hidden/lab', 'north/web']],
    ['archived=true', ['north/old']],
    ['visibility=private', ['hidden/lab']],
    ['search=site', ['north/web']],
    ['starred=true', ['north/web']],
    ['order_by=name&sort=asc', ['hidden/lab', 'north/old', 'north/web']],
    ['min_access_level=50', ['north/old', 'north/web']],
    ['owned=true', ['north/old', 'north/web']],
    ['with_security_reports=true&include_subgroups=true', ['north/inner/tool']],
    ['with_issues_enabled=true&archived=false', ['hidden/lab', 'north/web']],
    ['with_merge_requests_enabled=true&order_by=path&sort=desc', ['north/web', 'north/old', 'hidden/lab']],
  ])('%s', async (query, expected) => {
    await forge.host.projects.star({ project: 'north/web', user: 'olaf' })
    expect(projectPaths(await send(`GET /groups/north/projects?${query}`, { as: 'olaf' }))).toEqual(expected)
  })

  test('simple=true returns ids, names, paths and URLs only', async () => {
    const [simple] = (await send('GET /groups/north/projects?simple=true&search=web')).body
    expect(simple).toEqual({
      id: expect.any(Number),
      name: 'Web',
      name_with_namespace: 'North / Web',
      path: 'web',
      path_with_namespace: 'north/web',
      ssh_url_to_repo: 'git@forge.test:north/web.git',
      http_url_to_repo: 'http://forge.test/north/web.git',
      web_url: 'http://forge.test/north/web',
      readme_url: null,
    })
  })

  test('the switches of a project are those of the reader', async () => {
    await forge.host.projects.update({ project: 'north/web', issuesAccessLevel: 'private' })
    const [closed] = (await send('GET /groups/north/projects?search=web')).body
    expect(closed).toMatchObject({ issues_enabled: false, issues_access_level: 'private', empty_repo: true })
    expect(closed).not.toHaveProperty('open_issues_count')
    expect(closed._links).not.toHaveProperty('issues')
    expect(closed).not.toHaveProperty('repository_storage')
    const [open] = (await send('GET /groups/north/projects?search=web', { as: 'root' })).body
    expect(open).toMatchObject({ issues_enabled: true, open_issues_count: 1, repository_storage: 'default' })
    expect(open.shared_with_groups.map(({ group_name }: { group_name: string }) => group_name)).toEqual([
      'Guests',
      'Open',
    ])
    expect(closed.shared_with_groups.map(({ group_name }: { group_name: string }) => group_name)).toEqual(['Open'])
  })

  test('custom attributes are for administrators', async () => {
    await forge.host.customAttributes.set({ project: 'north/web', key: 'a', value: 'b' })
    const asked = 'GET /groups/north/projects?search=web&with_custom_attributes=true'
    expect((await send(asked, { as: 'root' })).body[0].custom_attributes).toEqual([{ key: 'a', value: 'b' }])
    expect((await send(asked, { as: 'olaf' })).body[0]).not.toHaveProperty('custom_attributes')
  })

  test('guests of a private project see no branch of it', async () => {
    const { body } = await send('GET /groups/hidden/projects', { as: 'pete' })
    expect(projectPaths({ body })).toEqual(['hidden/lab'])
    expect(body[0]).not.toHaveProperty('default_branch')
    expect(body[0]).not.toHaveProperty('ci_config_path')
    expect(body[0]._links).not.toHaveProperty('merge_requests')
  })
})

test('GET /groups/:id/projects/shared lists projects of other groups', async () => {
  expect(projectPaths(await send('GET /groups/open/projects/shared'))).toEqual(['north/web'])
  expect(projectPaths(await send('GET /groups/north/projects/shared'))).toEqual([])
  expect(projectPaths(await send('GET /groups/north/projects/shared', { as: 'olaf' }))).toEqual(['hidden/lab'])
  expect(projectPaths(await send('GET /groups/open/projects/shared?archived=true'))).toEqual([])
})

test('GET /groups/:id/groups/shared lists the groups that a group was invited to', async () => {
  await forge.host.shares.create({ group: 'north', withGroup: 'open', accessLevel: 20 })
  const shared = await send('GET /groups/open/groups/shared')
  expect(shared.body).toMatchObject([{ full_path: 'north', web_url: `${forge.url}/groups/north` }])
  expect((await send('GET /groups/open/groups/shared?search=south')).body).toEqual([])
  expect((await send('GET /groups/north/groups/shared')).body).toEqual([])
})

test('GET /projects/:id/groups lists the ancestors and, on request, invited groups', async () => {
  const paths = async (query: string, as = 'olaf') =>
    (await send(`GET /projects/north%2Fweb/groups${query}`, { as })).body.map(
      ({ full_path }: { full_path: string }) => full_path,
    )
  const { body } = await send('GET /projects/north%2Fweb/groups')
  expect(body).toEqual([
    {
      id: expect.any(Number),
      web_url: `${forge.url}/groups/north`,
      name: 'North',
      avatar_url: null,
      full_name: 'North',
      full_path: 'north',
    },
  ])
  expect(await paths('?with_shared=true', 'root')).toEqual(['guests', 'north', 'open'])
  expect(await paths('?with_shared=true&shared_min_access_level=50', 'root')).toEqual(['north'])
  expect(await paths(`?skip_groups[]=${body[0].id}`)).toEqual([])
  expect(await paths('?search=south')).toEqual([])
})

test('GET /projects/:id/share_locations lists the groups that a project can be shared with', async () => {
  const paths = async (as: string) =>
    (await send('GET /projects/north%2Fweb/share_locations', { as })).body.map(
      ({ full_path }: { full_path: string }) => full_path,
    )
  const all = await paths('root')
  expect(all).toContain('hidden')
  expect(all).not.toContain('north')
  expect(all).not.toContain('open')
  expect(await paths('olaf')).not.toContain('hidden')
  await forge.host.groups.update({ group: 'north', shareWithGroupLock: true })
  expect(await paths('root')).toEqual([])
})

test('projects and groups move to groups in which the caller can create them', async () => {
  const list = async (path: string, as = 'zoe') =>
    (await send(`GET ${path}/transfer_locations`, { as })).body.map(({ full_path }: { full_path: string }) => full_path)
  const { groups, projects } = forge.as('zoe')
  const { id: group } = await groups.create({ path: 'movable' })
  await groups.create({ parent: 'movable', path: 'below' })
  const { id: project } = await projects.create({ namespace: 'movable', path: 'lab' })
  const creators = { 'for-developers': 'developer', 'for-maintainers': 'maintainer', 'for-nobody': 'noone' } as const
  for (const [path, projectCreationLevel] of Object.entries(creators)) {
    await forge.host.groups.create({ path, projectCreationLevel, subgroupCreationLevel: 'maintainer' })
    await forge.host.members.add({ group: path, users: ['zoe'], accessLevel: path === 'for-nobody' ? 40 : 30 })
  }
  expect(await list(`/projects/${project}`)).toEqual(['movable/below', 'for-developers'])
  expect(await list(`/groups/${group}`)).toEqual(['for-nobody'])
  const all = await list(`/projects/${project}`, 'root')
  expect(all).toEqual(expect.arrayContaining(['for-nobody', 'for-maintainers', 'movable/below']))
  expect(all).not.toContain('movable')
})

test('a share that has ended shares nothing', async () => {
  await forge.host.shares.create({ project: 'north/old', withGroup: 'open', accessLevel: 10, expiresAt: '2020-01-01' })
  expect(projectPaths(await send('GET /groups/open/projects'))).toEqual(['north/web'])
})

test('without the paid tier nobody asks for security reports', async () => {
  await using free = await world({ seed, tier: 'free' })
  const asked = 'GET /groups/north/projects?with_security_reports='
  expect(await client(free)(`${asked}true`)).toMatchObject({ status: 403 })
  expect(await client(free)(`${asked}false`)).toMatchObject({ status: 200 })
})

test('groups are created, changed and deleted', async () => {
  const { body } = await send('POST /groups', { as: 'zoe', json: { name: 'East', path: 'east' } })
  expect(body).toMatchObject({ full_path: 'east', projects: [] })
  await send('POST /groups', { as: 'zoe', json: { path: 'deep', parent_id: body.id } })
  const below = await send('GET /groups/east/descendant_groups', { as: 'zoe' })
  expect(below.body).toMatchObject([{ full_path: 'east/deep', name: 'deep' }])
  const changed = await send('PUT /groups/east', { as: 'zoe', json: { visibility: 'public', lfs_enabled: false } })
  expect(changed.body).toMatchObject({ visibility: 'public', lfs_enabled: false })
  expect((await send('GET /groups?visibility=private', { as: 'zoe' })).body).toMatchObject([{ path: 'deep' }])
  expect(await send('DELETE /groups/east', { as: 'zoe' })).toMatchObject({
    status: 202,
    body: { message: '202 Accepted' },
  })
  expect((await send('GET /groups/east%2Fdeep', { as: 'root' })).status).toBe(404)
})

test('groups that are marked for deletion are restored', async () => {
  await forge.host.settings.update({ deletionAdjournedPeriod: 7 })
  expect((await send('DELETE /groups/open', { as: 'root' })).status).toBe(202)
  const [{ id }] = (await send('GET /groups?active=false', { as: 'root' })).body
  const { status, body } = await send(`POST /groups/${id}/restore`, { as: 'root' })
  expect([status, body.full_path]).toEqual([201, 'open'])
})

test('groups move with their subgroups and projects', async () => {
  await send('POST /groups', { as: 'zoe', json: { path: 'west' } })
  const { body: research } = await send('POST /groups', { as: 'zoe', json: { path: 'research' } })
  const { body: inner } = await send('POST /groups', {
    as: 'zoe',
    json: { path: 'inner', parent_id: research.id },
  })
  await send('POST /projects', { as: 'zoe', json: { path: 'lab', namespace_id: inner.id } })
  const move = (id: number, json: object) => send(`POST /groups/${id}/transfer`, { as: 'zoe', json })
  expect((await move(research.id, { group_id: inner.id })).status).toBe(400)
  expect((await move(research.id, {})).status).toBe(400)
  expect((await move(research.id, { group_id: 'west' })).body).toMatchObject({ full_path: 'west/research' })
  expect((await send('GET /projects/west%2Fresearch%2Finner%2Flab', { as: 'zoe' })).status).toBe(200)
  const { body: below } = await send('GET /groups/west/descendant_groups', { as: 'zoe' })
  const paths = below.map(({ full_path }: { full_path: string }) => full_path)
  expect(paths).toEqual(expect.arrayContaining(['west/research', 'west/research/inner']))
  const { body: top } = await move(inner.id, {})
  expect(top).toMatchObject({ full_path: 'inner', parent_id: null })
  expect((await send('GET /projects/inner%2Flab', { as: 'root' })).status).toBe(200)
  const { body: after } = await send('GET /groups/west/descendant_groups', { as: 'zoe' })
  expect(after.map(({ full_path }: { full_path: string }) => full_path)).not.toContain('west/research/inner')
})

test('administrators move projects to a group, which is returned', async () => {
  const move = (project: string, as: string) => send(`POST /groups/open/projects/${project}`, { as })
  expect((await move('zoe%2Fcopy', 'olaf')).status).toBe(403)
  expect(await move('zoe%2Fcopy', 'root')).toMatchObject({ status: 201, body: { full_path: 'open' } })
  expect((await send('GET /projects/open%2Fcopy', { as: 'zoe' })).status).toBe(200)
  expect((await move('open%2Fcopy', 'root')).status).toBe(400)
  expect((await move('none', 'root')).status).toBe(404)
})

test('owners archive and unarchive a group', async () => {
  expect((await send('POST /groups/north/archive', { as: 'olaf' })).body).toMatchObject({ archived: true })
  expect((await send('POST /groups/north/unarchive', { as: 'olaf' })).body).toMatchObject({ archived: false })
})

everyRouteCalled('groups')
