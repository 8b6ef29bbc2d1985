import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Repository } from '../../ports/git.ts'
import type { PushRecord } from '../events/event.ts'
import { stripRefPrefix, toCommitTitle, toPushAction } from '../events/push.ts'

/** A change of one branch or tag. `before` is null on creation, `after` on deletion. */
export interface ReferenceMove {
  /** Full name: `refs/heads/main`. */
  readonly ref: string
  readonly before: string | null
  readonly after: string | null
}

/** Number of commits added to a branch. For a new branch, commits of other branches are not counted. */
const countCommits = async (repository: Repository, { ref, before, after }: ReferenceMove): Promise<number> => {
  if (after === null) return 0
  if (before !== null) return repository.countCommits({ commit: after, exclude: [before] })
  const others = (await repository.branches()).filter(({ name }) => `refs/heads/${name}` !== ref)
  return repository.countCommits({ commit: after, exclude: [...new Set(others.map(({ commit }) => commit))] })
}

/** Converts a move for the activity feed. `message`: of the last commit, null if there is none. */
export const toPushRecord = (
  { ref, before, after }: ReferenceMove,
  { commitCount, message }: { readonly commitCount: number; readonly message: string | null },
): PushRecord => ({
  commitCount,
  action: toPushAction(before, after),
  refType: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
  commitFrom: before,
  commitTo: after,
  ref: stripRefPrefix(ref),
  commitTitle: toCommitTitle(message?.trimStart() ?? null),
})

/** Reads commit count and title of a move from the repository. The commit count of a tag is 0. */
export async function readPushRecord(repository: Repository, move: ReferenceMove): Promise<PushRecord> {
  const commit = move.after === null ? undefined : await repository.commit(move.after)
  if (move.after !== null && commit === undefined) throw notFound('Commit')
  const commitCount = move.ref.startsWith('refs/tags/') ? 0 : await countCommits(repository, move)
  return toPushRecord(move, { commitCount, message: commit?.title ?? null })
}

/** Emits `code.pushed` for each push. `userId` null: pushed by the host, not recorded as activity of a user. */
export async function emitPushes(
  ctx: Context,
  projectId: number,
  userId: number | null,
  pushes: readonly PushRecord[],
): Promise<void> {
  for (const push of pushes) await ctx.emit('code.pushed', { projectId, userId, push })
}
