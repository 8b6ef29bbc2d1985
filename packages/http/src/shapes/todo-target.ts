import type { EpicTarget, IssueTarget, MergeRequestTarget } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableDateTime, NullableText, Url } from '../reply/field-types.ts'
import { wire } from '../reply/wire.ts'
import { issuableFields } from './issuable.ts'
import { mergeRequestFields } from './merge-request.ts'
import { UserSummaryWire } from './user.ts'

/** The URL of an epic contains the path of its group, which only the todo has. */
type WithUrl<T> = T & { readonly webUrl: string }

const targetFields = {
  subscribed: v.boolean(),
  /** URL of the target's page. */
  web_url: Url,
}

export const IssueTargetWire = wire<WithUrl<IssueTarget>>('TodoIssue')({
  ...issuableFields,
  ...targetFields,
  due_date: NullableDate,
  confidential: v.boolean(),
})

/** Specification 1, "Todo". */
export const MergeRequestTargetWire = wire<WithUrl<MergeRequestTarget>>('TodoMergeRequest')({
  ...mergeRequestFields,
  ...targetFields,
})

export const EpicTargetWire = wire<WithUrl<EpicTarget>>('TodoEpic')({
  id: Integer,
  iid: Integer,
  group_id: Integer,
  title: v.string(),
  description: NullableText,
  state: v.string(),
  confidential: v.boolean(),
  author: UserSummaryWire,
  created_at: DateTime,
  updated_at: DateTime,
  closed_at: NullableDateTime,
  user_notes_count: Integer,
  ...targetFields,
})
