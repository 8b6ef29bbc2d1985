import type { Epic, EpicDetails } from '@forgelet/core/operations'
import * as v from 'valibot'
import {
  DateTime,
  Integer,
  NullableDate,
  NullableDateTime,
  NullableInteger,
  NullableText,
  Url,
} from '../reply/field-types.ts'
import { computed, type Site, wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

const createLinks = ({ groupId, iid, parent }: Epic, { url }: Site) => {
  const groups = `${url}/api/v4/groups`
  const group = `${groups}/${groupId}`
  const self = `${group}/epics/${iid}`
  const parentUrl = parent && `${groups}/${parent.groupId}/epics/${parent.iid}`
  return { self, epic_issues: `${self}/issues`, group, parent: parentUrl }
}

const getStartDate = ({ startDateIsFixed, startDate, startDateFromMilestones }: Epic) =>
  startDateIsFixed ? startDate : startDateFromMilestones

const getDueDate = ({ dueDateIsFixed, dueDate, dueDateFromMilestones }: Epic) =>
  dueDateIsFixed ? dueDate : dueDateFromMilestones

const epicFields = {
  id: Integer,
  iid: Integer,
  group_id: Integer,
  /** Id of the parent; null for none. */
  parent_id: computed(NullableInteger, ({ parent }: Epic) => parent?.id ?? null),
  /** Number of the parent in its group; null for none. */
  parent_iid: computed(NullableInteger, ({ parent }: Epic) => parent?.iid ?? null),
  title: v.string(),
  description: NullableText,
  state: v.string(),
  confidential: v.boolean(),
  /** `#` and 6 hexadecimal digits. */
  color: computed(v.string(), ({ color }: Epic) => color ?? '#1068bf'),
  author: UserSummaryWire,
  created_at: DateTime,
  updated_at: DateTime,
  closed_at: NullableDateTime,
  /** The fixed day, or that of the milestones. */
  start_date: computed(NullableDate, getStartDate),
  start_date_is_fixed: v.boolean(),
  start_date_from_milestones: NullableDate,
  /** The same as `start_date_from_milestones`. */
  start_date_from_inherited_source: computed(NullableDate, (epic: Epic) => epic.startDateFromMilestones),
  /** The fixed day. */
  start_date_fixed: computed(NullableDate, ({ startDate }: Epic) => startDate),
  /** The fixed day, or that of the milestones. */
  due_date: computed(NullableDate, getDueDate),
  /** The same as `due_date`. */
  end_date: computed(NullableDate, getDueDate),
  due_date_is_fixed: v.boolean(),
  due_date_from_milestones: NullableDate,
  /** The same as `due_date_from_milestones`. */
  due_date_from_inherited_source: computed(NullableDate, (epic: Epic) => epic.dueDateFromMilestones),
  /** The fixed day. */
  due_date_fixed: computed(NullableDate, ({ dueDate }: Epic) => dueDate),
  labels: computed(v.array(v.string()), ({ labels }: Epic) => [...labels]),
  upvotes: Integer,
  downvotes: Integer,
  /** Reference inside the group: `&7`. */
  reference: computed(v.string(), ({ iid }: Epic) => `&${iid}`),
  /** References to the epic in Markdown. */
  references: computed(
    v.strictObject({
      /** Inside the group: `&7`. */
      short: v.string(),
      /** The same as `short`. */
      relative: v.string(),
      /** In other groups: `acme&7`. */
      full: v.string(),
    }),
    ({ iid, groupPath }: Epic) => ({ short: `&${iid}`, relative: `&${iid}`, full: `${groupPath}&${iid}` }),
  ),
  /** URL of the epic's page. */
  web_url: computed(Url, ({ groupPath, iid }: Epic, { url }: Site) => `${url}/groups/${groupPath}/-/epics/${iid}`),
  /** URLs of related resources. */
  _links: computed(
    v.strictObject({
      /** URL of the epic in this API. */
      self: Url,
      /** URL of its issues in this API. */
      epic_issues: Url,
      /** URL of its group in this API. */
      group: Url,
      /** URL of the parent in this API; null for none. */
      parent: v.nullable(Url),
    }),
    createLinks,
  ),
}

/** An epic of a group. */
export const EpicWire = wire<Epic>('Epic')(epicFields)

/** An epic, and what depends on its comments. */
export const EpicDetailsWire = wire<EpicDetails>('EpicDetails')({
  ...epicFields,
  subscribed: v.boolean(),
  user_notes_count: Integer,
})
