import { generateKeyPairSync } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { currentSettings } from '../settings/current-settings.ts'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const as = 'root'
const path = '/application/settings'
const put = (json: object) => send(`PUT ${path}`, { as, json })

const told = `
  admin_notification_email after_sign_out_path after_sign_up_text spamfilter_enabled allow_group_owners_to_manage_ldap
  allow_local_requests_from_hooks_and_services allow_local_requests_from_system_hooks
  allow_local_requests_from_web_hooks_and_services archive_builds_in_human_readable asset_proxy_enabled asset_proxy_url
  asset_proxy_whitelist authorized_keys_enabled auto_devops_domain auto_devops_enabled check_namespace_plan
  commit_email_hostname container_registry_token_expire_delay default_artifacts_expire_in default_branch_protection
  default_ci_config_path default_group_visibility default_project_creation default_projects_limit
  default_project_visibility default_snippet_visibility diff_max_patch_bytes disabled_oauth_sign_in_sources
  dns_rebinding_protection_enabled domain_blacklist domain_blacklist_enabled domain_whitelist dsa_key_restriction
  ecdsa_key_restriction ed25519_key_restriction kube_integration_enabled kube_account_id searchengine_cloud_region
  searchengine_cloud searchengine_indexed_field_length_limit searchengine_indexing searchengine_limit_indexing
  searchengine_search searchengine_max_bulk_concurrency searchengine_max_bulk_size_mb searchengine_namespace_ids
  searchengine_project_ids searchengine_url email_additional_text email_author_in_body enabled_git_access_protocol
  enforce_terms external_auth_client_cert external_authorization_service_default_label
  external_authorization_service_enabled id signup_enabled password_authentication_enabled_for_web
  password_authentication_enabled signin_enabled max_attachment_size max_import_size user_oauth_applications
  session_expire_delay home_page_url outbound_local_requests_whitelist created_at updated_at avatarservice_enabled
  sign_in_text container_expiration_policies_enable_historic_entries repository_storages diagramtool_enabled
  diagramtool_url terminal_max_session_time polling_interval_multiplier rsa_key_restriction first_day_of_week terms
  performance_bar_allowed_group_id instance_statistics_visibility_private user_show_add_ssh_key_message
  local_markdown_version npm_package_requests_forwarding issues_create_limit raw_blob_request_limit
  external_authorization_service_url external_authorization_service_timeout file_template_project_id
  geo_node_allowed_ips geo_status_timeout deletion_adjourned_period
`
const names = [...told.trim().split(/\s+/), ...currentSettings].toSorted()

describe('the answer', () => {
  test('holds every setting but the secret ones, and old names', async () => {
    const { status, body } = await send(`GET ${path}`, { as })
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(names)
    expect(body).toMatchObject({ id: 1, signin_enabled: true, default_snippet_visibility: 'private' })
  })

  test('of a change is the same, with what was changed', async () => {
    const { body: before } = await send(`GET ${path}`, { as })
    const { status, body } = await put({ sign_in_text: 'Hello', default_branch_protection: 1 })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      sign_in_text: 'Hello',
      default_branch_protection: 1,
      updated_at: expect.any(String),
    })
    expect((await send(`GET ${path}`, { as })).body).toEqual(body)
  })

  test('sends the polling interval as a decimal string', async () => {
    expect((await send(`GET ${path}`, { as })).body.polling_interval_multiplier).toBe('1.0')
    for (const [sent, answered] of [
      [2, '2.0'],
      ['1.25', '1.25'],
      ['3.0', '3.0'],
    ] as const) {
      const { status, body } = await put({ polling_interval_multiplier: sent })
      expect([status, body.polling_interval_multiplier]).toEqual([200, answered])
    }
  })

  test('may be sent back as it is', async () => {
    const { body } = await send(`GET ${path}`, { as })
    const { status, body: again } = await put(body)
    expect({ status, body: again }).toEqual({ status: 200, body: { ...body, updated_at: expect.any(String) } })
  })

  test('never holds a secret', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const secrets = {
      spamfilter_api_key: 'hushsecret-1',
      asset_proxy_secret_key: 'hushsecret-2',
      kube_access_key_id: 'hushsecret-3',
      kube_secret_access_key: 'hushsecret-4',
      searchengine_cloud_access_key: 'hushsecret-5',
      searchengine_cloud_secret_access_key: 'hushsecret-6',
      external_auth_client_key_pass: 'hushsecret-7',
      external_auth_client_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    }
    const answers = [
      await put(secrets),
      await send(`GET ${path}`, { as }),
      await put({ external_auth_client_cert: 'no certificate', ...secrets }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400])
    for (const { text } of answers) expect(text).not.toMatch(/hushsecret|PRIVATE KEY/)
  })
})

describe('without a license', () => {
  test('settings of the paid tier are neither told nor taken', async () => {
    await using free = await world({ tier: 'free' })
    const response = await client(free)(`PUT ${path}`, { as, json: { geo_status_timeout: 3, sign_in_text: 'x' } })
    expect(response).toMatchObject({ status: 200, body: { sign_in_text: 'x' } })
    expect(Object.keys(response.body).filter((name) => /^(geo|searchengine|deletion)_/.test(name))).toEqual([])
  })
})

describe('values', () => {
  test.each([
    ['a list as JSON', { domain_blacklist: ['a.example', 'b.example'] }, ['a.example', 'b.example']],
    ['a list as one text', { domain_blacklist: 'a.example, b.example' }, ['a.example', 'b.example']],
    ['an empty list', { domain_blacklist: '' }, []],
  ])('take %s', async (_, json, list) => {
    expect((await put(json)).body).toMatchObject({ domain_blacklist: list })
  })

  test('take a form', async () => {
    const form = { asset_proxy_whitelist: 'a.example,*.b.example', signup_enabled: 'false', session_expire_delay: '60' }
    expect((await send(`PUT ${path}`, { as, form })).body).toMatchObject({
      asset_proxy_whitelist: ['a.example', '*.b.example'],
      signup_enabled: false,
      session_expire_delay: 60,
    })
  })

  test('take parameters of the address', async () => {
    expect((await send(`PUT ${path}?enabled_git_access_protocol=ssh&terms=Be%20kind`, { as })).body).toMatchObject({
      enabled_git_access_protocol: 'ssh',
      terms: 'Be kind',
    })
    const nil = await send(`PUT ${path}?enabled_git_access_protocol=nil`, { as })
    expect(nil.body).toMatchObject({ enabled_git_access_protocol: null })
  })

  test('take old names', async () => {
    expect((await put({ signin_enabled: false })).body).toMatchObject({
      signin_enabled: false,
      password_authentication_enabled: false,
      password_authentication_enabled_for_web: false,
    })
  })
})

describe('a refusal', () => {
  test('without any known setting names all of them', async () => {
    const { status, body } = await put({ unknown: true })
    expect(status).toBe(400)
    expect(body.error).toMatch(/(^|, )spamfilter_api_key, .* are missing, at least one parameter must be provided$/)
    expect(body.error).toContain('signin_enabled')
    expect(body.error).not.toContain('created_at')
  })

  test.each([
    [{ default_branch_protection: 5 }, 'default_branch_protection does not have a valid value'],
    [{ default_project_creation: 3 }, 'default_project_creation does not have a valid value'],
    [{ enabled_git_access_protocol: 'ftp' }, 'enabled_git_access_protocol does not have a valid value'],
    [{ default_group_visibility: 'secret' }, 'default_group_visibility does not have a valid value'],
    [{ max_attachment_size: 'large' }, 'max_attachment_size is invalid'],
    [{ signup_enabled: 'perhaps' }, 'signup_enabled is invalid'],
  ])('of %j says so', async (json, error) => {
    expect(await put(json)).toMatchObject({ status: 400, body: { error } })
  })

  test.each([
    [{ after_sign_out_path: 'javascript:alert(1)' }, { after_sign_out_path: [expect.stringMatching(/^is blocked: /)] }],
    [{ admin_notification_email: 'nobody' }, { admin_notification_email: ['is invalid'] }],
    [{ session_expire_delay: -1 }, { session_expire_delay: ['must be greater than or equal to 0'] }],
    [{ max_attachment_size: 0 }, { max_attachment_size: ['must be greater than 0'] }],
    [{ default_artifacts_expire_in: 'soon' }, { default_artifacts_expire_in: ['is not a correct duration'] }],
    [
      { archive_builds_in_human_readable: '1 hour' },
      { archive_builds_in_seconds: ['must be greater than or equal to 86400'] },
    ],
    [{ diff_max_patch_bytes: 1 }, { diff_max_patch_bytes: ['must be greater than or equal to 102400'] }],
    [{ enforce_terms: true, terms: '' }, { terms: ['You need to set terms to be enforced'] }],
    [
      { domain_blacklist_enabled: true, domain_blacklist: [] },
      { domain_blacklist: ['Domain blacklist cannot be empty if Blacklist is enabled.'] },
    ],
    [
      { rsa_key_restriction: 1000 },
      { rsa_key_restriction: ['must be forbidden, allowed, or one of these sizes: 1024, 2048, 3072, or 4096'] },
    ],
  ])('of %j is one of the setting itself', async (json, message) => {
    const { status, body } = await put(json)
    expect({ status, message: body.message }).toEqual({ status: 400, message })
  })

  test('does not concern settings whose required settings are omitted or stored', async () => {
    expect(await put({ spamfilter_enabled: true })).toMatchObject({ status: 200, body: { spamfilter_enabled: true } })
    expect(await put({ spamfilter_api_key: 'hushsecret' })).toMatchObject({ status: 200 })
    expect(await put({ spamfilter_enabled: true })).toMatchObject({ status: 200 })
    for (const name of ['asset_proxy_enabled', 'domain_blacklist_enabled', 'enforce_terms', 'diagramtool_enabled'])
      expect(await put({ [name]: true })).toMatchObject({ status: 200, body: { [name]: true } })
    expect(await put({ external_authorization_service_enabled: true })).toMatchObject({ status: 200 })
  })

  test('changes nothing', async () => {
    const { body: before } = await send(`GET ${path}`, { as })
    await put({ sign_in_text: 'Hello', session_expire_delay: -1 })
    expect((await send(`GET ${path}`, { as })).body).toEqual(before)
  })

  test('of the caller comes before one of the input, for those who are nobody', async () => {
    expect(await send(`PUT ${path}`, { json: { signup_enabled: 'perhaps' } })).toMatchObject({ status: 401 })
    expect(await send(`PUT ${path}`, { as: 'alice', json: { sign_in_text: 'x' } })).toMatchObject({ status: 403 })
    expect(await send(`GET ${path}`, { as: 'alice' })).toMatchObject({ status: 403 })
  })
})

everyRouteCalled('application settings')
