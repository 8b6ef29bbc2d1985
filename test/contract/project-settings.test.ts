import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const path = '/projects/acme%2Fweb'
const change = (json: object) => send(`PUT ${path}`, { as: 'alice', json })
const status = async (line: string, as?: string) => (await send(line, as === undefined ? {} : { as })).status

/** Values other than the defaults. */
const changes = {
  allow_merge_on_skipped_pipeline: true,
  allow_pipeline_trigger_approve_deployment: true,
  analytics_access_level: 'private',
  auto_duo_code_review_enabled: true,
  build_git_strategy: 'clone',
  ci_allow_fork_pipelines_to_run_in_parent_project: false,
  ci_delete_pipelines_in_seconds: 86_400,
  ci_forward_deployment_enabled: false,
  ci_forward_deployment_rollback_allowed: false,
  ci_id_token_sub_claim_components: ['project_path'],
  ci_restrict_pipeline_cancellation_role: 'maintainer',
  ci_separated_caches: false,
  container_registry_access_level: 'private',
  duo_remote_flows_enabled: true,
  enforce_auth_checks_on_uploads: false,
  environments_access_level: 'private',
  external_authorization_classification_label: 'secret',
  feature_flags_access_level: 'private',
  group_runners_enabled: false,
  infrastructure_access_level: 'disabled',
  issue_branch_template: '%{id}-work',
  issues_template: 'Steps:',
  keep_latest_artifact: false,
  max_artifacts_size: 10,
  merge_pipelines_enabled: true,
  merge_request_title_regex: '^[A-Z]',
  merge_request_title_regex_description: 'Starts with a capital letter',
  merge_requests_template: 'Why:',
  merge_trains_enabled: true,
  merge_trains_skip_train_allowed: true,
  model_experiments_access_level: 'disabled',
  model_registry_access_level: 'disabled',
  monitor_access_level: 'private',
  mr_default_target_self: true,
  only_allow_merge_if_all_status_checks_passed: true,
  package_registry_access_level: 'public',
  prevent_merge_without_jira_issue: true,
  releases_access_level: 'private',
  requirements_access_level: 'disabled',
  resource_group_default_process_mode: 'oldest_first',
  security_and_compliance_access_level: 'private',
  show_diff_preview_in_email: false,
  warn_about_potentially_unwanted_characters: false,
  web_based_commit_signing_enabled: true,
}

test('settings are returned by every representation of a project', async () => {
  const before = await send(`GET ${path}`, { as: 'alice' })
  expect(before.status).toBe(200)
  for (const [name, value] of Object.entries(changes)) expect(before.body).not.toHaveProperty(name, value)
  expect(await change(changes)).toMatchObject({ status: 200, body: changes })
  for (const line of [path, '/projects?search=web', '/groups/acme/projects', '/users/alice/starred_projects']) {
    if (line.endsWith('starred_projects')) await send(`POST ${path}/star`, { as: 'alice' })
    const { body } = await send(`GET ${line}`, { as: 'alice' })
    expect(Array.isArray(body) ? body.find(({ path }: { path: string }) => path === 'web') : body).toMatchObject(
      changes,
    )
  }
})

test('values are checked', async () => {
  for (const json of [
    { build_git_strategy: 'copy' },
    { merge_request_title_regex: '(' },
    { ci_delete_pipelines_in_seconds: 1 },
    { max_artifacts_size: -1 },
    { releases_access_level: 'public' },
  ])
    expect((await change(json)).status).toBe(400)
})

test('older parameters set the levels of features', async () => {
  expect(await change({ packages_enabled: false, container_registry_enabled: false })).toMatchObject({
    body: {
      packages_enabled: false,
      package_registry_access_level: 'disabled',
      container_registry_enabled: false,
      container_registry_access_level: 'disabled',
    },
  })
  expect(await change({ operations_access_level: 'private', releases_access_level: 'disabled' })).toMatchObject({
    body: { monitor_access_level: 'private', environments_access_level: 'private', releases_access_level: 'disabled' },
  })
  expect(await change({ fallback_approvals_required: 2 })).toMatchObject({ body: { approvals_before_merge: 2 } })
  expect(await change({ emails_enabled: false })).toMatchObject({
    body: { emails_enabled: false, emails_disabled: true },
  })
})

test('a part of the rules for container tags keeps the other rules', async () => {
  const policy = { cadence: '14d', enabled: true, keep_n: 5, name_regex_keep: '^v', name_regex_delete: '.*' }
  expect(await change({ container_expiration_policy_attributes: policy })).toMatchObject({
    status: 200,
    body: { container_expiration_policy: { ...policy, name_regex: '.*', older_than: null, next_run_at: null } },
  })
  expect(await change({ container_expiration_policy_attributes: { enabled: false } })).toMatchObject({
    body: { container_expiration_policy: { ...policy, enabled: false } },
  })
})

test('only administrators move a project to another storage', async () => {
  await change({ repository_storage: 'fast' })
  expect((await send(`GET ${path}`, { as: 'root' })).body.repository_storage).toBe('default')
  await send(`PUT ${path}`, { as: 'root', json: { repository_storage: 'fast' } })
  expect((await send(`GET ${path}`, { as: 'root' })).body.repository_storage).toBe('fast')
})

test('an administrator creates a project for a user in a group', async () => {
  const { body: group } = await send('GET /groups/acme')
  const { status: created, body } = await send('POST /projects/user/2', {
    as: 'root',
    json: { name: 'Site', namespace_id: group.id, repository_object_format: 'sha1' },
  })
  expect({ created, creator: body.creator_id, path: body.path_with_namespace }).toEqual({
    created: 201,
    creator: 2,
    path: 'acme/site',
  })
  const sha256 = { name: 'Other', repository_object_format: 'sha256' }
  expect((await send('POST /projects', { as: 'alice', json: sha256 })).status).toBe(400)
})

test('checksums of repositories never fail', async () => {
  expect((await send('GET /projects?repository_checksum_failed=true', { as: 'root' })).body).toEqual([])
  expect((await send('GET /projects?wiki_checksum_failed=false&per_page=1', { as: 'root' })).body).toHaveLength(1)
})

test('the default branch must exist, and HEAD names it when the call returns', async () => {
  const author = { name: 'A', email: 'a@example.com' }
  const commits = ['alpha', 'master'].map((branch) => ({
    branch,
    message: 'x',
    author,
    parents: [],
    files: [{ path: branch, content: '' }],
  }))
  await forge.host.commits.import({ project: 'acme/web', commits })
  expect((await send(`GET ${path}`, { as: 'alice' })).body.default_branch).toBe('master')
  expect(await change({ default_branch: 'none' })).toMatchObject({
    status: 400,
    body: { message: { base: ["Could not change HEAD: branch 'none' does not exist"] } },
  })
  expect((await change({ default_branch: 'alpha' })).body.default_branch).toBe('alpha')
  expect((await send(`GET ${path}/repository/files/alpha?ref=HEAD`, { as: 'alice' })).status).toBe(200)
})

test('a first branch starts an empty repository', async () => {
  const json = { branch: 'feature', ref: 'main' }
  expect((await send(`POST ${path}/repository/branches`, { as: 'alice', json })).status).toBe(201)
  const { body } = await send(`GET ${path}/repository/tree?ref=feature`, { as: 'alice' })
  expect(body.map(({ path }: { path: string }) => path)).toEqual(['README.md'])
  expect((await send(`GET ${path}`, { as: 'alice' })).body).toMatchObject({ default_branch: 'main', empty_repo: false })
})

describe('the level of a feature', () => {
  test.each([
    ['releases', 'releases'],
    ['package_registry', 'packages'],
    ['container_registry', 'registry/repositories'],
  ])('%s decides who can see it', async (feature, list) => {
    const setting = `${feature}_access_level`
    const statuses = async () => [
      await status(`GET ${path}/${list}`),
      await status(`GET ${path}/${list}`, 'mallory'),
      await status(`GET ${path}/${list}`, 'alice'),
    ]
    expect(await statuses()).toEqual([200, 200, 200])
    await change({ [setting]: 'private' })
    expect(await statuses()).toEqual([expect.any(Number), 403, 200])
    await change({ [setting]: 'disabled' })
    expect(await statuses()).toEqual([expect.any(Number), 403, 403])
  })

  test.each([
    ['environments', 'environments'],
    ['monitor', 'error_tracking/settings'],
    ['feature_flags', 'feature_flags'],
  ])('%s turns it off', async (feature, list) => {
    const before = await status(`GET ${path}/${list}`, 'alice')
    await change({ [`${feature}_access_level`]: 'private' })
    expect(await status(`GET ${path}/${list}`, 'alice')).toBe(before)
    await change({ [`${feature}_access_level`]: 'disabled' })
    expect(await status(`GET ${path}/${list}`, 'alice')).toBe(403)
  })

  test('security_and_compliance decides who can see dependencies', async () => {
    expect(await status(`GET ${path}/dependencies`, 'mallory')).toBe(200)
    await change({ security_and_compliance_access_level: 'private' })
    expect(await status(`GET ${path}/dependencies`, 'mallory')).toBe(403)
    expect(await status(`GET ${path}/dependencies`, 'carol')).toBe(200)
  })
})

test('only some roles cancel pipelines', async () => {
  const project = 'acme/web'
  const { id } = await forge.host.pipelines.record({ project, ref: 'main', sha: 'a'.repeat(40), status: 'running' })
  await change({ ci_restrict_pipeline_cancellation_role: 'no_one' })
  expect(await status(`POST ${path}/pipelines/${id}/cancel`, 'alice')).toBe(403)
  await change({ ci_restrict_pipeline_cancellation_role: 'maintainer' })
  expect(await status(`POST ${path}/pipelines/${id}/cancel`, 'alice')).toBe(200)
})

test('old pipelines are removed', async () => {
  const project = 'acme/web'
  const { id } = await forge.host.pipelines.record({ project, ref: 'main', sha: 'a'.repeat(40), status: 'success' })
  await change({ ci_delete_pipelines_in_seconds: 172_800 })
  await forge.clock.advance({ days: 1 })
  await forge.platform.jobs.drain()
  expect(await status(`GET ${path}/pipelines/${id}`, 'alice')).toBe(200)
  await forge.clock.advance({ days: 3 })
  await forge.platform.jobs.drain()
  expect(await status(`GET ${path}/pipelines/${id}`, 'alice')).toBe(404)
})

test('descriptions are returned as HTML', async () => {
  const { body } = await change({ description: 'A **bold** <script>x</script> text' })
  expect(body.description_html).toMatch(/^<p dir="auto">A <strong>bold<\/strong> .*text<\/p>$/)
  expect(body.description_html).not.toContain('<script')
})
