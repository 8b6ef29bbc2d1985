import type { PipelineTrigger } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime } from '../reply/field-types.ts'
import { wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

export const PipelineTriggerWire = wire<PipelineTrigger>('PipelineTrigger')({
  id: Integer,
  description: v.string(),
  token: v.string(),
  expires_at: NullableDateTime,
  created_at: DateTime,
  updated_at: DateTime,
  last_used: NullableDateTime,
  owner: UserSummaryWire,
})
