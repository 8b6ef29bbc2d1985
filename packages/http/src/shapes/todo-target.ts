import type { EpicTarget, IssueTarget, MergeRequestTarget } from '@forgelet/core/operations'
import * as v from 'valibot'
import { wire } from '../wire.ts'
import { issuable } from './issuable.ts'
import { mergeRequest } from './merge-request.ts'
import { UserSummaryWire } from './user.ts'

const attention = { subscribed: v.boolean() }

/** An issue that asks for somebody's attention. */
export const IssueTargetWire = wire<IssueTarget>()({
  ...issuable,
  ...attention,
  due_date: v.nullable(v.string()),
  confidential: v.boolean(),
})

/** A merge request that asks for somebody's attention: specification 1, "Todo". */
export const MergeRequestTargetWire = wire<MergeRequestTarget>()({
  ...mergeRequest,
  ...attention,
})

/** An epic that asks for somebody's attention. */
export const EpicTargetWire = wire<EpicTarget>()({
  id: v.number(),
  iid: v.number(),
  group_id: v.number(),
  title: v.string(),
  description: v.nullable(v.string()),
  state: v.string(),
  confidential: v.boolean(),
  author: UserSummaryWire,
  created_at: v.string(),
  updated_at: v.string(),
  closed_at: v.nullable(v.string()),
  user_notes_count: v.number(),
  subscribed: v.boolean(),
})
