import type { NamespaceRecord, PathAvailability } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableInteger, Url } from '../reply/field-types.ts'
import { computed, type Site, wire } from '../reply/wire.ts'
import { avatarUrlField } from './avatar-url.ts'

/** A group or the personal namespace of a user. */
export const NamespaceRecordWire = wire<NamespaceRecord>('Namespace')({
  id: Integer,
  name: v.string(),
  path: v.string(),
  kind: v.string(),
  full_path: v.string(),
  parent_id: NullableInteger,
  avatar_url: avatarUrlField,
  visibility: v.string(),
  /** URL of the page of the group or user. */
  web_url: computed(Url, ({ kind, fullPath }: NamespaceRecord, { url }: Site) =>
    kind === 'group' ? `${url}/groups/${fullPath}` : `${url}/${fullPath}`,
  ),
  members_count_with_descendants: v.optional(Integer),
  billable_members_count: v.optional(Integer),
  projects_count: v.optional(Integer),
  root_repository_size: v.optional(Integer),
  /** The same as `billable_members_count` of a top-level group. */
  seats_in_use: computed(v.optional(Integer), ({ parentId, billableMembersCount }: NamespaceRecord) =>
    parentId === null ? billableMembersCount : undefined,
  ),
  plan: v.optional(v.string()),
  /** Whether the plan is a trial: false, because there are none. Present like `plan`. */
  trial: computed(v.optional(v.boolean()), ({ plan }: NamespaceRecord) => (plan === undefined ? undefined : false)),
  /** The last day of the trial: null, because there are none. Present like `plan`. */
  trial_ends_on: computed(v.optional(v.null()), ({ plan }: NamespaceRecord) => (plan === undefined ? undefined : null)),
})

/** Whether a path is taken. */
export const PathAvailabilityWire = wire<PathAvailability>('NamespaceExistence')({
  exists: v.boolean(),
  suggests: v.array(v.string()),
})
