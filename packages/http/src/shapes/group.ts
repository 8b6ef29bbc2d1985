import type {
  BranchProtection,
  Group,
  GroupDetails,
  GroupRecord,
  GroupStatistics,
  RootStorageStatistics,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableInteger, NullableText, Url } from '../reply/field-types.ts'
import { computed, list, optional, type Site, wire } from '../reply/wire.ts'
import { avatarUrlField } from './avatar-url.ts'
import { CustomAttributeWire } from './custom-attribute.ts'
import { organizationIdField } from './organization.ts'
import { ProjectWire, SharedGroupWire } from './project.ts'

const sizeFields = {
  storage_size: Integer,
  repository_size: Integer,
  wiki_size: Integer,
  lfs_objects_size: Integer,
  /** Bytes of reports of pipelines: 0, because only artifacts of jobs are stored. */
  pipeline_artifacts_size: computed(v.literal(0), () => 0 as const),
  packages_size: Integer,
  snippets_size: Integer,
  uploads_size: Integer,
}

const StatisticsWire = wire<GroupStatistics>('GroupStatistics')({ ...sizeFields, job_artifacts_size: Integer })

const RootStorageStatisticsWire = wire<RootStorageStatistics>('RootStorageStatistics')({
  ...sizeFields,
  /** Bytes of the artifacts of jobs. */
  build_artifacts_size: computed(Integer, ({ jobArtifactsSize }: RootStorageStatistics) => jobArtifactsSize),
  container_registry_size: Integer,
  /** Whether the size of the container registry is estimated: false, because each image is counted. */
  container_registry_size_is_estimated: computed(v.literal(false), () => false as const),
  /** Bytes of cached images of other registries: 0, because there is no cache. */
  dependency_proxy_size: computed(v.literal(0), () => 0 as const),
})

/** Who can push or merge. */
const LevelWire = wire<BranchProtection['allowedToPush'][number]>('BranchProtectionLevel')({
  /** 0 no one, 30 developers and above, 40 maintainers and above. */
  access_level: Integer,
})

const BranchProtectionWire = wire<BranchProtection>('BranchProtectionDefaults')({
  allowed_to_push: list(LevelWire),
  allow_force_push: v.boolean(),
  allowed_to_merge: list(LevelWire),
  code_owner_approval_required: v.boolean(),
  developer_can_initial_push: v.boolean(),
})

const webUrl = computed(Url, ({ fullPath }: Group, { url }: Site) => `${url}/groups/${fullPath}`)

/** A group with only the fields that identify it. */
export const BasicGroupWire = wire<Group>('BasicGroup')({
  id: Integer,
  /** URL of the group's page. */
  web_url: webUrl,
  name: v.string(),
  avatar_url: avatarUrlField,
  full_name: v.string(),
  full_path: v.string(),
})

const groupFields = {
  id: Integer,
  /** URL of the group's page. */
  web_url: webUrl,
  name: v.string(),
  path: v.string(),
  description: v.string(),
  visibility: v.string(),
  share_with_group_lock: v.boolean(),
  require_two_factor_authentication: v.boolean(),
  two_factor_grace_period: Integer,
  project_creation_level: v.string(),
  auto_devops_enabled: v.nullable(v.boolean()),
  subgroup_creation_level: v.string(),
  emails_disabled: v.nullable(v.boolean()),
  /** The opposite of `emails_disabled`. */
  emails_enabled: computed(v.boolean(), ({ emailsDisabled }: GroupRecord) => !emailsDisabled),
  show_diff_preview_in_email: v.boolean(),
  mentions_disabled: v.nullable(v.boolean()),
  default_branch: NullableText,
  shared_runners_setting: v.string(),
  max_artifacts_size: NullableInteger,
  math_rendering_limits_enabled: v.boolean(),
  lock_math_rendering_limits_enabled: v.boolean(),
  duo_features_enabled: v.boolean(),
  lock_duo_features_enabled: v.boolean(),
  duo_core_features_enabled: v.boolean(),
  auto_duo_code_review_enabled: v.boolean(),
  web_based_commit_signing_enabled: v.boolean(),
  archived: v.boolean(),
  marked_for_deletion_on: NullableDate,
  lfs_enabled: v.boolean(),
  default_branch_protection: Integer,
  default_branch_protection_defaults: BranchProtectionWire,
  wiki_access_level: v.string(),
  duo_availability: v.string(),
  experiment_features_enabled: v.boolean(),
  repository_storage: v.optional(v.string()),
  /** Id of the organization: 1, because an instance is one organization. */
  organization_id: organizationIdField,
  avatar_url: avatarUrlField,
  request_access_enabled: v.boolean(),
  full_name: v.string(),
  full_path: v.string(),
  created_at: DateTime,
  parent_id: NullableInteger,
  file_template_project_id: NullableInteger,
  custom_attributes: optional(list(CustomAttributeWire)),
}

/** Specification 2, "Group". */
export const GroupWire = wire<GroupRecord>('Group')({
  ...groupFields,
  statistics: optional(StatisticsWire),
  root_storage_statistics: optional(RootStorageStatisticsWire),
})

/** A single group: specification 2, "Group". */
export const GroupDetailsWire = wire<GroupDetails>('GroupDetails')({
  ...groupFields,
  shared_with_groups: optional(list(SharedGroupWire)),
  runners_token: v.optional(v.string()),
  membership_lock: v.boolean(),
  enabled_git_access_protocol: v.string(),
  allowed_email_domains_list: v.string(),
  shared_runners_minutes_limit: NullableInteger,
  extra_shared_runners_minutes_limit: NullableInteger,
  prevent_forking_outside_group: v.boolean(),
  prevent_sharing_groups_outside_hierarchy: v.boolean(),
  projects: optional(list(ProjectWire)),
  shared_projects: optional(list(ProjectWire)),
})
