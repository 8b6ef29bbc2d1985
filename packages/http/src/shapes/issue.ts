import type { Issue } from '@forgelet/core/operations'
import * as v from 'valibot'
import { NullableDate, Url } from '../reply/field-types.ts'
import { computed, type Site, wire } from '../reply/wire.ts'
import { issuableFields, references, taskCompletion, webUrl } from './issuable.ts'

const createLinks = ({ projectId, iid }: Issue, { url }: Site) => {
  const project = `${url}/api/v4/projects/${projectId}`
  const self = `${project}/issues/${iid}`
  return { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project }
}

export const IssueWire = wire<Issue>('Issue')({
  ...issuableFields,
  due_date: NullableDate,
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
})
