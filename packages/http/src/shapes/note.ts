import type { ExecutedQuickActions, Note, QuickActionChanges } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateOnly, DateTime, Integer, NullableDate, NullableInteger, NullableText } from '../reply/field-types.ts'
import { computed, wire } from '../reply/wire.ts'
import { toSnakeCase } from '../wire-names.ts'
import { UserSummaryWire } from './user.ts'

const Ids = v.optional(v.array(Integer))

const ChangesSchema = v.object({
  state_event: v.optional(v.picklist(['close', 'reopen'])),
  title: v.optional(v.string()),
  confidential: v.optional(v.boolean()),
  discussion_locked: v.optional(v.boolean()),
  assignee_ids: Ids,
  reviewer_ids: Ids,
  add_label_ids: Ids,
  remove_label_ids: Ids,
  label_ids: Ids,
  milestone_id: v.optional(NullableInteger),
  weight: v.optional(NullableInteger),
  health_status: v.optional(NullableText),
  due_date: v.optional(NullableDate),
  time_estimate: v.optional(Integer),
  spend_time: v.optional(v.object({ duration: Integer, spent_at: DateOnly })),
  epic_id: v.optional(NullableInteger),
  issue_type: v.optional(v.string()),
  canonical_issue_id: v.optional(Integer),
  subscription_event: v.optional(v.picklist(['subscribe', 'unsubscribe'])),
  wip_event: v.optional(v.picklist(['draft', 'ready'])),
  approve: v.optional(v.boolean()),
  reviewer_state: v.optional(v.picklist(['reviewed', 'requested_changes'])),
  target_branch: v.optional(v.string()),
  merge: v.optional(v.literal(true)),
  rebase: v.optional(v.literal(true)),
  emoji_award: v.optional(v.string()),
  todo_event: v.optional(v.picklist(['add', 'done'])),
})

const toSpendTime = ({ spendTime }: QuickActionChanges) =>
  spendTime && { spendTime: { duration: spendTime.duration, spent_at: spendTime.spentAt } }

const toWireChanges = (changes: QuickActionChanges = {}): v.InferInput<typeof ChangesSchema> =>
  Object.fromEntries(
    Object.entries({ ...changes, ...toSpendTime(changes) }).map(([name, value]) => [toSnakeCase(name), value]),
  )

/** The result of a comment that contained only quick actions. */
const QuickActionsWire = wire<ExecutedQuickActions>('QuickActionsResult')({
  commands_changes: computed(ChangesSchema, ({ commandsChanges }: ExecutedQuickActions) =>
    toWireChanges(commandsChanges),
  ),
  summary: computed(v.array(v.string()), ({ summary }: ExecutedQuickActions) => [...summary]),
})

/** The reply to a text of quick actions only. */
export const onlyQuickActions = {
  status: 202,
  description: 'The body contained only quick actions; no note is stored',
  shape: QuickActionsWire,
}

/**
 * A note: specification 1, "Note". A single note of a snippet or an epic, and a new note that is one emoji, also have the
 * fields of the specification's object for them.
 */
export const NoteWire = wire<Note>('Note')({
  id: Integer,
  type: NullableText,
  body: v.string(),
  attachment: v.null(),
  author: UserSummaryWire,
  created_at: DateTime,
  updated_at: DateTime,
  system: v.boolean(),
  noteable_id: Integer,
  noteable_type: v.string(),
  resolvable: v.boolean(),
  confidential: v.boolean(),
  internal: v.boolean(),
  noteable_iid: NullableInteger,
  /** Effects of quick actions in the body; only in the reply to a new note. */
  commands_changes: computed(ChangesSchema, ({ commandsChanges }: Pick<Note, 'commandsChanges'>) =>
    toWireChanges(commandsChanges),
  ),
  title: v.optional(v.string()),
  file_name: v.optional(NullableText),
  expires_at: v.optional(v.null()),
})
