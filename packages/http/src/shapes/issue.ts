import type { Issue } from '@forgelet/core/operations'
import * as v from 'valibot'
import { NullableDate } from '../reply/field-types.ts'
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
  task_completion_status: taskCompletion,
  references: references('#'),
  web_url: webUrl('issues'),
  _links: computed(
    v.strictObject({ self: v.string(), notes: v.string(), award_emoji: v.string(), project: v.string() }),
    createLinks,
  ),
})
