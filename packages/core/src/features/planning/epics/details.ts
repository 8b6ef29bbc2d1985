import { getUserId } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { withSubscribed } from '../issuables/participants.ts'
import { countComments } from '../issuables/relations.ts'
import type { EpicDetails, EpicRecord } from './epic.ts'
import { completeEpics } from './queries.ts'

/** Completes epics, with the numbers of their comments. The number of queries does not depend on the number of epics. */
export async function completeEpicDetails(ctx: Context, records: readonly EpicRecord[]): Promise<EpicDetails[]> {
  if (!records.length) return []
  const [epics, countOf] = await awaitAll([
    withSubscribed(ctx, 'epic', await completeEpics(ctx, records), getUserId(ctx.actor)),
    countComments(
      ctx,
      'epic',
      records.map(({ id }) => id),
    ),
  ])
  return epics.map((epic) => ({ ...epic, userNotesCount: countOf(epic.id) }))
}
