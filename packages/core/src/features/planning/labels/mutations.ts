import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { preparedInsert } from '../../../kernel/prepared-query.ts'
import { defined } from '../../../shared/defined.ts'

interface NewLabel {
  readonly projectId: number | null
  readonly groupId: number | null
  readonly name: string
  readonly color: string
  readonly description: string | null
}

/** Properties of a label that an issue or an epic creates by using its name. */
export const implicitLabel = {
  projectId: null,
  groupId: null,
  color: '#428BCA',
  description: null,
} as const

/** Prepared, since compiling this statement for each call takes longer than running it. */
const insertLabelRow = preparedInsert(
  (db, { projectId, groupId, name, color, description, now }: NewLabel & { readonly now: string }) =>
    db.insertInto('label').values({
      projectId,
      groupId,
      name,
      color,
      description,
      createdAt: now,
      updatedAt: now,
    } satisfies CompleteRow<'label'>),
)

/** Inserts a label with a free name, and returns its id. */
export const insertLabel = async (ctx: Context, label: NewLabel): Promise<number> =>
  defined(await insertLabelRow(ctx, { ...label, now: ctx.now }))
