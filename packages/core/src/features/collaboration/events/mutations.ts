import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { EventAction, EventTargetKind, PushEventData } from './event.ts'

interface NewEvent {
  readonly projectId: number
  /** Null if the host acts without naming a user: no event is recorded. */
  readonly authorId: number | null
  readonly action: EventAction
  readonly targetKind?: EventTargetKind
  readonly issueId?: number
  readonly mergeRequestId?: number
  readonly milestoneId?: number
  readonly snippetId?: number | null
  readonly noteId?: number
  readonly internal?: boolean
  readonly push?: PushEventData
}

export async function insertEvent(ctx: Context, { authorId, ...event }: NewEvent): Promise<void> {
  if (authorId === null) return
  await ctx.db
    .insertInto('event')
    .values({
      targetKind: null,
      issueId: null,
      mergeRequestId: null,
      milestoneId: null,
      snippetId: null,
      noteId: null,
      internal: false,
      push: null,
      ...event,
      authorId,
      createdAt: ctx.now,
    } satisfies CompleteRow<'event'>)
    .execute()
}
