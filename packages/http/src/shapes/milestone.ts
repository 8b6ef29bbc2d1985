import type { Milestone } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableInteger, NullableText } from '../reply/field-types.ts'
import { wire } from '../reply/wire.ts'

export const MilestoneWire = wire<Milestone>('Milestone')({
  id: Integer,
  iid: Integer,
  project_id: NullableInteger,
  group_id: NullableInteger,
  title: v.string(),
  description: NullableText,
  state: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
  due_date: NullableDate,
  start_date: NullableDate,
})
