import type { Issue, IssueDetails } from '@forgelet/core/operations'
import * as v from 'valibot'
import { NullableDate, NullableInteger, Url } from '../reply/field-types.ts'
import { computed, type Site, wire } from '../reply/wire.ts'
import { countTasks, issuableFields, references, taskCompletion, timeStats, webUrl } from './issuable.ts'

const createLinks = ({ projectId, iid }: Issue, { url }: Site) => {
  const project = `${url}/api/v4/projects/${projectId}`
  const self = `${project}/issues/${iid}`
  return { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project }
}

const issueFields = {
  ...issuableFields,
  /** Kind of issue in uppercase. */
  type: computed(v.string(), () => 'ISSUE'),
  /** Kind of issue. */
  issue_type: computed(v.string(), () => 'issue'),
  moved_to_id: NullableInteger,
  /** Estimated and recorded work. */
  time_stats: timeStats,
  /** Whether the description has task list items. */
  has_tasks: computed(v.boolean(), ({ description }: Issue) => countTasks(description).count > 0),
  due_date: NullableDate,
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
    }),
    createLinks,
  ),
}

export const IssueWire = wire<Issue>('Issue')(issueFields)

/** An issue, and whether the current user is subscribed to it. */
export const IssueDetailsWire = wire<IssueDetails>('IssueDetails')({ ...issueFields, subscribed: v.boolean() })
