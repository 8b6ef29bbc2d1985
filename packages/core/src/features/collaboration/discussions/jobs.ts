import { findPastActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import type { JobPayloads } from '../../../contract/job-payloads.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { readHead } from '../merge-requests/changes/head.ts'
import { refreshVersion } from '../merge-requests/changes/refresh.ts'
import { prepareHead } from '../merge-requests/changes/source-branch.ts'
import { loadProjectSettings } from '../merge-requests/mergeability.ts'
import { findMergeRequest } from '../merge-requests/queries.ts'
import type { Position } from './discussion.ts'
import { createTracer } from './trace.ts'

/** The first notes of discussions on lines, with their positions. */
const findPlaced = async ({ db }: Context, mergeRequestId: number) => {
  const rows = await db
    .selectFrom('discussionNote')
    .innerJoin('note', 'note.id', 'discussionNote.noteId')
    .where('note.mergeRequestId', '=', mergeRequestId)
    .where('discussionNote.position', 'is not', null)
    .orderBy('discussionNote.noteId')
    .select(['discussionNote.noteId', 'discussionNote.position'])
    .execute()
  return rows.flatMap(({ noteId, position }) => (position?.positionType === 'text' ? [{ noteId, position }] : []))
}

const readTask = async (ctx: Context, { projectId, iid }: JobPayloads['discussions.trace']) => {
  const project = await findProject(ctx, projectId)
  const mergeRequest = await findMergeRequest(ctx, projectId, iid)
  if (project === undefined || mergeRequest?.state !== 'opened') return undefined
  const settings = (await loadProjectSettings(ctx, [projectId])).get(projectId)
  return {
    head: await readHead(ctx, { project, mergeRequest }),
    placed: await findPlaced(ctx, mergeRequest.id),
    resolves: settings?.resolveOutdatedDiffDiscussions ?? false,
  }
}

const storePosition = (ctx: Context, noteId: number, position: Position) =>
  ctx.db.updateTable('discussionNote').set({ position }).where('noteId', '=', noteId).execute()

const resolve = async (ctx: Context, discussion: number, userId: number | null) =>
  ctx.db
    .updateTable('discussionNote')
    .set({ resolvedAt: ctx.now, resolvedById: userId })
    .where('discussion', '=', discussion)
    .where('resolvedAt', 'is', null)
    .execute()

/**
 * Moves the positions of discussions to the newest version of the changes. Discussions on lines that were changed are outdated: they
 * keep their position, and are resolved if the project says so.
 */
export const tracePositions = defineJob('discussions.trace', {
  async run({ write }, payload) {
    const task = await write((ctx) => readTask(ctx, payload))
    if (!task?.placed.length) return
    const prepared = await prepareHead({ write }, task.head)
    const version = await refreshVersion({ write }, prepared)
    if (version === undefined || prepared.opened === undefined) return
    const trace = createTracer(prepared.opened, version)
    for (const { noteId, position } of task.placed) {
      if (position.headSha === version.headCommitSha && position.baseSha === version.baseCommitSha) continue
      const traced = await trace(position)
      await write(async (ctx) => {
        if (traced) await storePosition(ctx, noteId, traced)
        else if (task.resolves) {
          const actor = await findPastActor(ctx, payload.userId, 'push')
          await resolve(ctx, noteId, actor.kind === 'user' ? actor.id : null)
        }
      })
    }
  },
})
