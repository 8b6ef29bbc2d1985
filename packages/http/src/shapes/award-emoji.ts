import type { Award } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer } from '../reply/field-types.ts'
import { computed, wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

/** An emoji that a user gave to an item. */
export const AwardWire = wire<Award>('AwardEmoji')({
  id: Integer,
  name: v.string(),
  user: UserSummaryWire,
  created_at: DateTime,
  /** Awards cannot be changed. */
  updated_at: computed(DateTime, ({ createdAt }: Award) => createdAt),
  awardable_id: Integer,
  awardable_type: v.string(),
  /** Always null: only emoji of a group's own have a picture at a URL, which there are none. */
  url: computed(v.null(), () => null),
})
