import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { DateOnly } from '../../../kernel/inputs.ts'
import { createLifecycle } from '../issuables/lifecycle.ts'
import { assertValidTitle } from '../issuables/triage.ts'
import { parseLabelInput } from '../labels/inputs.ts'
import { implicitLabel, insertLabel } from '../labels/mutations.ts'
import { findLabelIdByName, toLabelScope } from '../labels/queries.ts'
import type { Epic, EpicRecord } from './epic.ts'
import { completeEpics, findEpic } from './queries.ts'

/** The optional fields of an epic. */
export const detailsInput = {
  /** Markdown, at most 1,000,000 characters; null for none. */
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000)))),
  /** Whether only the author and reporters and above can read the epic. Default for a new epic: false. */
  confidential: v.optional(v.boolean()),
  /** First day such as `2026-11-21`; null for none. */
  startDate: v.optional(v.nullable(DateOnly)),
  /** Last day such as `2026-11-28`; null for none. */
  dueDate: v.optional(v.nullable(DateOnly)),
  /** Whether the epic starts on `startDate` instead of the first day of the milestones of its issues. Default: with a `startDate`. */
  startDateIsFixed: v.optional(v.boolean()),
  /** Whether the epic ends on `dueDate` instead of the last day of the milestones of its issues. Default: with a `dueDate`. */
  dueDateIsFixed: v.optional(v.boolean()),
  /** `#` and 3 or 6 hexadecimal digits, or a CSS color name, which is converted; null for the default. */
  color: v.optional(v.nullable(v.string())),
  /** Names of all labels, at most 1,000; missing labels are created in the group. An empty list means no labels. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(1_000))),
}

export const epicUpdateInput = {
  /** Not blank, at most 255 characters. */
  title: v.optional(v.string()),
  ...detailsInput,
  /** Names of labels to add, at most 1,000; missing labels are created in the group. */
  addLabels: detailsInput.labels,
  /** Names of labels to remove, at most 1,000; others are ignored. */
  removeLabels: detailsInput.labels,
  /** `close` or `reopen` the epic, after the other changes. */
  stateEvent: v.optional(v.picklist(['close', 'reopen'])),
}

const EpicUpdate = v.object(epicUpdateInput)

type Ref = Pick<EpicRecord, 'groupId' | 'id'>

const lifecycle = createLifecycle<Ref, EpicRecord, Epic>({
  table: 'epic',
  recordedStates: ['closed'],
  find: (ctx, { groupId, id }) => findEpic(ctx, groupId, id),
  complete: completeEpics,
  notify: (ctx, epic, state) => ctx.emit(state === 'closed' ? 'epic.closed' : 'epic.reopened', { epic }),
  notifyUpdate: (ctx, before, after) => ctx.emit('epic.updated', { before, after }),
})

export const { reload } = lifecycle

interface LabelChange {
  readonly labels?: readonly string[] | undefined
  readonly addLabels?: readonly string[] | undefined
  readonly removeLabels?: readonly string[] | undefined
}

/** Replaces, adds and removes labels of an epic by name. Missing labels are created in the group. */
export const updateEpicLabels = async (
  ctx: Context,
  epicId: number,
  group: Subjects['group'],
  { labels, addLabels = [], removeLabels = [] }: LabelChange,
): Promise<void> => {
  const scope = toLabelScope(group)
  const removed: number[] = []
  for (const name of removeLabels) removed.push((await findLabelIdByName(ctx, scope, name.trim())) ?? 0)
  if (labels) await ctx.db.deleteFrom('epicLabel').where('epicId', '=', epicId).execute()
  for (const given of new Set([...(labels ?? []), ...addLabels])) {
    const { name } = parseLabelInput({ name: given }) as { name: string }
    const labelId =
      (await findLabelIdByName(ctx, scope, name)) ??
      (await insertLabel(ctx, { ...implicitLabel, groupId: group.group.id, name }))
    await ctx.db
      .insertInto('epicLabel')
      .values({ epicId, labelId } satisfies CompleteRow<'epicLabel'>)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  if (removed.length) {
    await ctx.db.deleteFrom('epicLabel').where('epicId', '=', epicId).where('labelId', 'in', removed).execute()
  }
}

interface DateInput {
  readonly startDate?: string | null | undefined
  readonly dueDate?: string | null | undefined
  readonly startDateIsFixed?: boolean | undefined
  readonly dueDateIsFixed?: boolean | undefined
}

/** Whether the dates are fixed: those that the input sets, unless it says otherwise. */
export const readFixedDates = ({ startDate, dueDate, startDateIsFixed, dueDateIsFixed }: DateInput) => ({
  startDateIsFixed: startDateIsFixed ?? (startDate == null ? undefined : true),
  dueDateIsFixed: dueDateIsFixed ?? (dueDate == null ? undefined : true),
})

/** @throws PlatformError `invalid` for an invalid color */
export const parseEpicColor = (color: string | null | undefined): string | null | undefined =>
  color === null || color === undefined ? color : parseLabelInput({ color }).color

/**
 * Updates an epic. The caller must be permitted to update it. Present values change nothing.
 *
 * @throws PlatformError `invalid` for an invalid title or color
 */
export const updateEpic = async (
  ctx: Context,
  { stateEvent, labels, addLabels, removeLabels, ...change }: v.InferOutput<typeof EpicUpdate>,
  { epic, group, access }: Subjects['epic'],
): Promise<Epic> => {
  assertValidTitle(change.title)
  const groupSubject = { kind: 'group', group, access, hasVisibleProject: false } as const
  const after = await lifecycle.update(ctx, epic, async () => {
    await ctx.db
      .updateTable('epic')
      .set({ ...change, ...readFixedDates(change), color: parseEpicColor(change.color), updatedAt: ctx.now })
      .where('id', '=', epic.id)
      .execute()
    await updateEpicLabels(ctx, epic.id, groupSubject, { labels, addLabels, removeLabels })
  })
  return stateEvent ? lifecycle.setState(ctx, epic, stateEvent === 'close' ? 'closed' : 'opened') : after
}
