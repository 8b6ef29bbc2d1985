import type { Issue, IssueDetails, IssueEpic } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableDate, NullableInteger, NullableText, Url } from '../reply/field-types.ts'
import { computed, nullable, type Site, wire } from '../reply/wire.ts'
import { countTasks, issuableFields, references, taskCompletion, timeStats, webUrl } from './issuable.ts'

const createLinks = ({ projectId, iid }: Issue, { url }: Site) => {
  const project = `${url}/api/v4/projects/${projectId}`
  const self = `${project}/issues/${iid}`
  return { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project, closed_as_duplicate_of: null }
}

const IssueEpicWire = wire<IssueEpic>('IssueEpic')({
  id: Integer,
  iid: Integer,
  title: v.string(),
  group_id: Integer,
  /** Path of the epic's page. */
  url: computed(v.string(), ({ groupPath, iid }: IssueEpic) => `/groups/${groupPath}/-/epics/${iid}`),
})

const describeTasks = (description: string | null) => {
  const { count, completed_count } = countTasks(description)
  return count ? `${completed_count} of ${count} checklist ${count === 1 ? 'item' : 'items'} completed` : undefined
}

const issueFields = {
  ...issuableFields,
  /** Kind of issue in uppercase. */
  type: computed(v.string(), ({ issueType }: Issue) => issueType.toUpperCase()),
  issue_type: v.string(),
  /** Always `UNKNOWN`: incidents have no severity. */
  severity: computed(v.string(), () => 'UNKNOWN'),
  merge_requests_count: Integer,
  blocking_issues_count: Integer,
  epic: nullable(IssueEpicWire),
  /** Number of the epic in its group; null without an epic. */
  epic_iid: computed(NullableInteger, ({ epic }: Issue) => epic?.iid ?? null),
  /** Always null: there are no iterations. */
  iteration: computed(v.null(), () => null),
  health_status: NullableText,
  /** Always false: the platform does not import issues. */
  imported: computed(v.boolean(), () => false),
  /** Always `none`. */
  imported_from: computed(v.string(), () => 'none'),
  /** Always null: there is no service desk. */
  service_desk_reply_to: computed(v.null(), () => null),
  moved_to_id: NullableInteger,
  /** Estimated and recorded work. */
  time_stats: timeStats,
  /** Whether the description has task list items. */
  has_tasks: computed(v.boolean(), ({ description }: Issue) => countTasks(description).count > 0),
  due_date: NullableDate,
  /** The task list items in words: `1 of 3 checklist items completed`. Omitted without any. */
  task_status: computed(v.optional(v.string()), ({ description }: Issue) => describeTasks(description)),
  weight: NullableInteger,
  confidential: v.boolean(),
  /** Task list items of the description. */
  task_completion_status: taskCompletion,
  /** References to the issue in Markdown. */
  references: references('#'),
  /** URL of the issue's page. */
  web_url: webUrl('issues'),
  /** URLs of related resources. */
  _links: computed(
    v.strictObject({
      /** URL of the issue in this API. */
      self: Url,
      /** URL of its notes in this API. */
      notes: Url,
      /** URL of its award emoji in this API. */
      award_emoji: Url,
      /** URL of its project in this API. */
      project: Url,
      /** Always null: issues are not closed as duplicates. */
      closed_as_duplicate_of: v.null(),
    }),
    createLinks,
  ),
}

export const IssueWire = wire<Issue>('Issue')(issueFields)

/** An issue, and whether the current user is subscribed to it. */
export const IssueDetailsWire = wire<IssueDetails>('IssueDetails')({ ...issueFields, subscribed: v.boolean() })
