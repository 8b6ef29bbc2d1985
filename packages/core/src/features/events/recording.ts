import type { Context } from '../../kernel/context.ts'
import type { EventAction, EventTarget, PushRecord } from './event.ts'

interface NewEvent {
  readonly projectId: number
  /** Whose event it is when the host itself acts, for somebody it does not name. */
  readonly author: number | null
  readonly action: EventAction
  readonly targetKind?: EventTarget
  readonly issueId?: number
  readonly mergeRequestId?: number
  readonly milestoneId?: number
  readonly snippetId?: number | null
  readonly noteId?: number
  readonly push?: PushRecord
}

/** Records what was done. What nobody did is no activity. */
export async function record(ctx: Context, { author, ...event }: NewEvent): Promise<void> {
  if (author === null) return
  await ctx.db
    .insertInto('event')
    .values({
      targetKind: null,
      issueId: null,
      mergeRequestId: null,
      milestoneId: null,
      snippetId: null,
      noteId: null,
      push: null,
      ...event,
      authorId: author,
      createdAt: ctx.now,
    })
    .execute()
}
