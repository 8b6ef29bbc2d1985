import type { Milestone } from '@forgelet/core/operations'
import * as v from 'valibot'
import { wire } from '../reply/wire.ts'

export const MilestoneWire = wire<Milestone>()({
  id: v.number(),
  iid: v.number(),
  project_id: v.nullable(v.number()),
  group_id: v.nullable(v.number()),
  title: v.string(),
  description: v.nullable(v.string()),
  state: v.string(),
  created_at: v.string(),
  updated_at: v.string(),
  due_date: v.nullable(v.string()),
  start_date: v.nullable(v.string()),
})
