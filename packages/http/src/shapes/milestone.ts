import type { Milestone } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableText, Url } from '../reply/field-types.ts'
import { computed, type Site, wire } from '../reply/wire.ts'

const createWebUrl = ({ groupId, parentPath, iid }: Milestone, { url }: Site) =>
  `${url}/${groupId === null ? parentPath : `groups/${parentPath}`}/-/milestones/${iid}`

export const MilestoneWire = wire<Milestone>('Milestone')({
  id: Integer,
  iid: Integer,
  /** Id of the project; omitted for a milestone of a group. */
  project_id: computed(v.optional(Integer), ({ projectId }: Milestone) => projectId ?? undefined),
  /** Id of the group; omitted for a milestone of a project. */
  group_id: computed(v.optional(Integer), ({ groupId }: Milestone) => groupId ?? undefined),
  title: v.string(),
  description: NullableText,
  state: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
  due_date: NullableDate,
  start_date: NullableDate,
  expired: v.boolean(),
  /** URL of the milestone's page. */
  web_url: computed(Url, createWebUrl),
})
