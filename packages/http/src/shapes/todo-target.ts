import type { EpicTarget, IssueTarget, MergeRequestTarget } from '@forgelet/core/operations'
import * as v from 'valibot'
import { wire } from '../reply/wire.ts'
import { issuableFields } from './issuable.ts'
import { mergeRequestFields } from './merge-request.ts'
import { UserSummaryWire } from './user.ts'

const subscriptionFields = { subscribed: v.boolean() }

export const IssueTargetWire = wire<IssueTarget>()({
  ...issuableFields,
  ...subscriptionFields,
  due_date: v.nullable(v.string()),
  confidential: v.boolean(),
})

/** Specification 1, "Todo". */
export const MergeRequestTargetWire = wire<MergeRequestTarget>()({
  ...mergeRequestFields,
  ...subscriptionFields,
})

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
