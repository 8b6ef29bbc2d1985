import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Repository } from '../../ports/git.ts'
import type { PushRecord } from '../events/event.ts'
import { firstLine, pushAction, withoutPrefix } from '../events/push.ts'

/** What happened to one branch or tag: null where there was or is nothing. */
export interface ReferenceMove {
  /** In full: `refs/heads/main`. */
  readonly ref: string
  readonly before: string | null
  readonly after: string | null
}

/** Commits that a branch has got: on a new one, those that no other branch has. */
const commitsOf = async (repository: Repository, { ref, before, after }: ReferenceMove): Promise<number> => {
  if (after === null) return 0
  if (before !== null) return repository.count({ of: after, without: [before] })
  const others = (await repository.branches()).filter(({ name }) => `refs/heads/${name}` !== ref)
  return repository.count({ of: after, without: [...new Set(others.map(({ commit }) => commit))] })
}

/** A move as activity tells it. `message` is that of the last commit, null where there is none. */
export const pushRecord = (
  { ref, before, after }: ReferenceMove,
  { commitCount, message }: { readonly commitCount: number; readonly message: string | null },
): PushRecord => ({
  commitCount,
  action: pushAction(before, after),
  refType: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
  commitFrom: before,
  commitTo: after,
  ref: withoutPrefix(ref),
  commitTitle: firstLine(message?.trimStart() ?? null),
})

/** A move of which only the repository knows what came with it. Tags bring no commits of their own. */
export async function pushRecordOf(repository: Repository, move: ReferenceMove): Promise<PushRecord> {
  const commit = move.after === null ? undefined : await repository.commit(move.after)
  if (move.after !== null && commit === undefined) throw notFound('Commit')
  const commitCount = move.ref.startsWith('refs/tags/') ? 0 : await commitsOf(repository, move)
  return pushRecord(move, { commitCount, message: commit?.title ?? null })
}

/** Tells everybody of pushes: activity, mirrors and listeners. `userId` null: the host's own, nobody's activity. */
export async function statePushes(
  ctx: Context,
  projectId: number,
  userId: number | null,
  pushes: readonly PushRecord[],
): Promise<void> {
  for (const push of pushes) await ctx.emit('code.pushed', { projectId, userId, push })
}
