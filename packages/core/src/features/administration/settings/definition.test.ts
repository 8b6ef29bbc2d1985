import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { currentSettings } from '../../../../../../test/settings/current-settings.ts'
import {
  defaultSettings,
  type SettingName,
  type Settings,
  settingAliases,
  settingDefinition,
  settingDefinitions,
  settingInputs,
  settingNames,
  toAliasValues,
  toSettingsChange,
} from './definition.ts'

const wireName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const documented = `
  admin_notification_email after_sign_out_path after_sign_up_text spamfilter_api_key spamfilter_enabled
  allow_group_owners_to_manage_ldap allow_local_requests_from_hooks_and_services
  allow_local_requests_from_system_hooks allow_local_requests_from_web_hooks_and_services
  archive_builds_in_human_readable asset_proxy_enabled asset_proxy_secret_key asset_proxy_url asset_proxy_whitelist
  authorized_keys_enabled auto_devops_domain auto_devops_enabled check_namespace_plan commit_email_hostname
  container_registry_token_expire_delay default_artifacts_expire_in default_branch_protection default_ci_config_path
  default_group_visibility default_project_creation default_projects_limit default_project_visibility
  default_snippet_visibility diff_max_patch_bytes disabled_oauth_sign_in_sources dns_rebinding_protection_enabled
  domain_blacklist domain_blacklist_enabled domain_whitelist dsa_key_restriction ecdsa_key_restriction
  ed25519_key_restriction kube_integration_enabled kube_account_id kube_access_key_id kube_secret_access_key
  searchengine_cloud_access_key searchengine_cloud_region searchengine_cloud_secret_access_key searchengine_cloud
  searchengine_indexed_field_length_limit searchengine_indexing searchengine_limit_indexing searchengine_search
  searchengine_max_bulk_concurrency searchengine_max_bulk_size_mb searchengine_namespace_ids searchengine_project_ids
  searchengine_url email_additional_text email_author_in_body enabled_git_access_protocol enforce_terms
  external_auth_client_cert external_auth_client_key_pass external_auth_client_key
  external_authorization_service_default_label external_authorization_service_enabled
  id signup_enabled password_authentication_enabled_for_web max_attachment_size max_import_size user_oauth_applications
  session_expire_delay home_page_url outbound_local_requests_whitelist created_at updated_at avatarservice_enabled
  sign_in_text container_expiration_policies_enable_historic_entries repository_storages diagramtool_enabled
  diagramtool_url terminal_max_session_time polling_interval_multiplier rsa_key_restriction first_day_of_week terms
  performance_bar_allowed_group_id instance_statistics_visibility_private user_show_add_ssh_key_message
  local_markdown_version npm_package_requests_forwarding issues_create_limit raw_blob_request_limit
  external_authorization_service_url external_authorization_service_timeout
  file_template_project_id geo_node_allowed_ips geo_status_timeout deletion_adjourned_period
`
const sorted = (list: readonly string[]) => list.toSorted((a, b) => a.localeCompare(b))

const names = documented.trim().split(/\s+/)

const withTrait = (trait: 'paid' | 'secret' | 'readOnly' | 'requiresRestart') =>
  settingNames.filter((name) => settingDefinition(name)[trait]).map(wireName)

/** Schema types that JSON Schema can express. */
const convertible = [
  ...['array', 'boolean', 'number', 'string', 'nullable', 'picklist'],
  ...['integer', 'iso_timestamp', 'max_length', 'max_value', 'min_value'],
]

/** A schema and all its parts: the wrapped schema, the items of an array, the actions of a pipe. */
const parts = (schema: unknown): readonly { kind: string; type: string }[] => {
  const { kind, type, wrapped, item, pipe } = schema as {
    kind: string
    type: string
    wrapped?: unknown
    item?: unknown
    pipe?: readonly unknown[]
  }
  const inner = [wrapped, item, ...(pipe?.filter((part) => part !== schema).slice(1) ?? [])]
  return [{ kind, type }, ...inner.flatMap((part) => (part ? parts(part) : []))]
}

describe('setting definitions', () => {
  test('include exactly the documented settings and their aliases', () => {
    const defined = [...settingNames, ...Object.keys(settingAliases)].map(wireName)
    expect(sorted(defined)).toEqual(
      sorted([...names, ...currentSettings, 'password_authentication_enabled', 'signin_enabled']),
    )
  })

  test.each(settingNames)('%s has a valid default and a description', (name) => {
    const { schema, default: fallback, description } = settingDefinition(name)
    expect(v.is(schema, fallback)).toBe(true)
    expect(description).toMatch(/^[A-Z].+\.$/)
    expect(description).not.toContain('\n')
  })

  test.each(settingNames)('%s has an effect, or a reason for none', (name) => {
    const { effect, noEffect } = settingDefinition(name)
    expect([effect, noEffect].filter(Boolean)).toEqual([expect.stringMatching(/^\S.+\.$/)])
  })

  test.each(settingNames)('%s has a schema that can be converted to JSON Schema', (name) => {
    for (const { kind, type } of parts(settingDefinition(name).schema)) {
      expect(kind).not.toBe('transformation')
      expect(convertible).toContain(type)
    }
  })

  test('mark the settings of the paid tier', () => {
    const paid = names.filter((name) => /^(searchengine|geo)_/.test(name))
    const others = [
      'allow_group_owners_to_manage_ldap',
      'check_namespace_plan',
      'email_additional_text',
      'file_template_project_id',
      'deletion_adjourned_period',
      ...currentSettings.filter((name) => /^password_\w+_required$|_lifetime$/.test(name)),
    ]
    expect(sorted(withTrait('paid'))).toEqual(sorted([...paid, ...others]))
  })

  test('mark the secret settings', () => {
    expect(sorted(withTrait('secret'))).toEqual([
      'asset_proxy_secret_key',
      'external_auth_client_key',
      'external_auth_client_key_pass',
      'kube_access_key_id',
      'kube_secret_access_key',
      'searchengine_cloud_access_key',
      'searchengine_cloud_secret_access_key',
      'spamfilter_api_key',
    ])
  })

  test('mark the settings that require a restart or are read-only', () => {
    expect(sorted(withTrait('requiresRestart'))).toEqual(
      sorted(names.filter((name) => name.startsWith('asset_proxy_'))),
    )
    expect(withTrait('readOnly')).toEqual(['id', 'created_at', 'updated_at'])
    for (const name of ['id', 'createdAt', 'updatedAt']) expect(settingInputs).not.toHaveProperty(name)
  })

  test('have the documented defaults', () => {
    expect(defaultSettings()).toMatchObject({
      defaultBranchProtection: 2,
      defaultProjectsLimit: 100_000,
      defaultProjectVisibility: 'private',
      defaultGroupVisibility: 'private',
      defaultSnippetVisibility: 'private',
      domainWhitelist: null,
      rsaKeyRestriction: 0,
      dsaKeyRestriction: 0,
      ecdsaKeyRestriction: 0,
      ed25519KeyRestriction: 0,
      diffMaxPatchBytes: 102_400,
    })
  })

  test('return a new copy of the defaults', () => {
    const first = defaultSettings()
    ;(first.repositoryStorages as string[]).push('other')
    expect(defaultSettings().repositoryStorages).toEqual(['default'])
  })

  test('have exact types', () => {
    expectTypeOf<Settings['signupEnabled']>().toEqualTypeOf<boolean>()
    expectTypeOf<Settings['domainWhitelist']>().toEqualTypeOf<string[] | null>()
    expectTypeOf<Settings['enabledGitAccessProtocol']>().toEqualTypeOf<'ssh' | 'http' | null>()
    expectTypeOf<Settings['defaultBranchProtection']>().toEqualTypeOf<0 | 1 | 2 | 3 | 4>()
    expectTypeOf<'id'>().toExtend<SettingName>()
    expectTypeOf(settingDefinitions.terms.default).toEqualTypeOf<string | null>()
  })
})

describe('the input schema', () => {
  const request = v.strictObject(settingInputs)

  test('accepts all values of a response', () => {
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...values } = defaultSettings()
    const parsed = v.parse(request, { ...values, ...toAliasValues(defaultSettings()) })
    expect(toSettingsChange(parsed)).toEqual(values)
  })

  test.each([
    { id: 2 },
    { createdAt: '2020-01-01T00:00:00.000Z' },
    { defaultBranchProtection: 5 },
    { defaultProjectCreation: 3 },
    { defaultProjectVisibility: 'secret' },
    { enabledGitAccessProtocol: 'https' },
    { firstDayOfWeek: 2 },
    { signupEnabled: null },
    { signupEnabled: 'true' },
    { maxAttachmentSize: 1.5 },
    { maxAttachmentSize: 2 ** 31 },
    { pollingIntervalMultiplier: Number.POSITIVE_INFINITY },
    { domainBlacklist: 'a.example' },
    { domainBlacklist: Array.from({ length: 1001 }, () => 'a.example') },
    { searchengineProjectIds: ['1'] },
    { searchengineProjectIds: [0] },
    { homePageUrl: 'h'.repeat(2049) },
  ])('rejects %j', (input) => {
    expect(v.is(request, input)).toBe(false)
  })
})

describe('toSettingsChange', () => {
  test('replaces aliases, but the current name wins', () => {
    expect(toSettingsChange({ signinEnabled: false })).toEqual({ passwordAuthenticationEnabledForWeb: false })
    expect(toSettingsChange({ passwordAuthenticationEnabled: false })).toEqual({
      passwordAuthenticationEnabledForWeb: false,
    })
    expect(toSettingsChange({ allowLocalRequestsFromHooksAndServices: true })).toEqual({
      allowLocalRequestsFromWebHooksAndServices: true,
    })
    expect(toSettingsChange({ signinEnabled: false, passwordAuthenticationEnabledForWeb: true })).toEqual({
      passwordAuthenticationEnabledForWeb: true,
    })
  })

  test('replaces nil with null in enabledGitAccessProtocol only', () => {
    expect(toSettingsChange({ enabledGitAccessProtocol: 'nil', signInText: 'nil', terms: null })).toEqual({
      enabledGitAccessProtocol: null,
      signInText: 'nil',
      terms: null,
    })
  })

  test('omits undefined values', () => {
    expect(toSettingsChange({ terms: undefined })).toEqual({})
  })
})

test('toAliasValues returns the values under their old names', () => {
  const settings = { ...defaultSettings(), passwordAuthenticationEnabledForWeb: false }
  expect(toAliasValues(settings)).toEqual({
    passwordAuthenticationEnabled: false,
    signinEnabled: false,
    allowLocalRequestsFromHooksAndServices: false,
  })
})
