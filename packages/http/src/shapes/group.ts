import type { GroupDetails, GroupRecord, GroupStatistics } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, type Site, wire } from '../reply/wire.ts'
import { CustomAttributeWire } from './custom-attribute.ts'
import { ProjectWire, SharedGroupWire } from './project.ts'

const StatisticsWire = wire<GroupStatistics>()({
  storage_size: v.number(),
  repository_size: v.number(),
  wiki_size: v.number(),
  lfs_objects_size: v.number(),
  job_artifacts_size: v.number(),
  packages_size: v.number(),
})

const OptionalObjects = v.optional(v.array(v.looseObject({})))

const mapOptional = <T>(items: readonly T[] | undefined, shape: (item: T, site: Site) => object, site: Site) =>
  items?.map((item) => ({ ...shape(item, site) }))

const groupFields = {
  id: v.number(),
  web_url: computed(v.string(), ({ fullPath }: GroupRecord, { url }: Site) => `${url}/groups/${fullPath}`),
  name: v.string(),
  path: v.string(),
  description: v.string(),
  visibility: v.string(),
  share_with_group_lock: v.boolean(),
  require_two_factor_authentication: v.boolean(),
  two_factor_grace_period: v.number(),
  project_creation_level: v.string(),
  auto_devops_enabled: v.nullable(v.boolean()),
  subgroup_creation_level: v.string(),
  emails_disabled: v.nullable(v.boolean()),
  mentions_disabled: v.nullable(v.boolean()),
  lfs_enabled: v.boolean(),
  default_branch_protection: v.number(),
  avatar_url: v.nullable(v.string()),
  request_access_enabled: v.boolean(),
  full_name: v.string(),
  full_path: v.string(),
  created_at: v.string(),
  parent_id: v.nullable(v.number()),
  file_template_project_id: v.nullable(v.number()),
  custom_attributes: computed(OptionalObjects, ({ customAttributes }: GroupRecord, site: Site) =>
    mapOptional(customAttributes, CustomAttributeWire, site),
  ),
}

/** Specification 2, "Group". */
export const GroupWire = wire<GroupRecord>()({
  ...groupFields,
  statistics: computed(v.optional(v.looseObject({})), ({ statistics }: GroupRecord, site: Site) =>
    statistics === undefined ? undefined : { ...StatisticsWire(statistics, site) },
  ),
})

/** A single group: specification 2, "Group". */
export const GroupDetailsWire = wire<GroupDetails>()({
  ...groupFields,
  shared_with_groups: computed(OptionalObjects, ({ sharedWithGroups }: GroupDetails, site: Site) =>
    mapOptional(sharedWithGroups, SharedGroupWire, site),
  ),
  runners_token: v.optional(v.string()),
  projects: computed(OptionalObjects, ({ projects }: GroupDetails, site: Site) =>
    mapOptional(projects, ProjectWire, site),
  ),
  shared_projects: computed(OptionalObjects, ({ sharedProjects }: GroupDetails, site: Site) =>
    mapOptional(sharedProjects, ProjectWire, site),
  ),
})
