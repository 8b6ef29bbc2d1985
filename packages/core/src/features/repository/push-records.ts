import type { Signals } from '../../contract/signals.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Repository } from '../../ports/git.ts'
import type { PushRecord } from '../events/event.ts'
import { stripRefPrefix, toCommitTitle, toPushAction } from '../events/push.ts'
import type { ReferenceMove } from './reference-move.ts'

/**
 * Number of commits added to a branch. For a new branch, commits of other branches are not counted. `moves`: all moves of the same
 * push. Commits that a push adds to several branches count for the first one.
 */
const countCommits = async (
  repository: Repository,
  { ref, before, after }: ReferenceMove,
  moves: readonly ReferenceMove[],
): Promise<number> => {
  if (after === null) return 0
  if (before !== null) return repository.countCommits({ commit: after, exclude: [before] })
  const index = moves.findIndex((move) => move.ref === ref)
  const later = new Set(moves.slice(index).map((move) => move.ref))
  const others = (await repository.branches()).filter(({ name }) => !later.has(`refs/heads/${name}`))
  return repository.countCommits({ commit: after, exclude: [...new Set(others.map(({ commit }) => commit))] })
}

/** Converts a move for the activity feed. `message`: of the last commit, null if there is none. */
const toPushRecord = (
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

/**
 * Reads commit counts and titles of the moves of one push from the repository. An annotated tag is recorded with its commit, a tag
 * of another object with that object. The commit count of a tag is 0.
 *
 * @throws PlatformError `not_found` for a branch at an unknown commit
 */
export async function readPushRecords(
  repository: Repository,
  moves: readonly ReferenceMove[],
): Promise<readonly PushRecord[]> {
  const records: PushRecord[] = []
  for (const move of moves) {
    const isTag = move.ref.startsWith('refs/tags/')
    records.push(await (isTag ? readTagRecord(repository, move) : readBranchRecord(repository, move, moves)))
  }
  return records
}

const readBranchRecord = async (
  repository: Repository,
  move: ReferenceMove,
  moves: readonly ReferenceMove[],
): Promise<PushRecord> => {
  const commit = move.after === null ? undefined : await repository.commit(move.after)
  if (move.after !== null && commit === undefined) throw notFound('Commit')
  const commitCount = await countCommits(repository, move, moves)
  return toPushRecord(move, { commitCount, message: commit?.title ?? null })
}

const readTagRecord = async (repository: Repository, { ref, before, after }: ReferenceMove): Promise<PushRecord> => {
  const peel = async (id: string | null) => (id === null ? null : ((await repository.peel(id)) ?? id))
  const target = { ref, before: await peel(before), after: await peel(after) }
  const commit = target.after === null ? undefined : await repository.commit(target.after)
  return toPushRecord(target, { commitCount: 0, message: commit?.title ?? null })
}

/** Emits `code.pushed` for each push. `userId` null: pushed by the host, not recorded as activity of a user. */
export async function emitPushes(
  ctx: Context,
  projectId: number,
  userId: number | null,
  pushes: readonly PushRecord[],
  { cause = null, pushOptions = [] }: Partial<Pick<Signals['code.pushed'], 'cause' | 'pushOptions'>> = {},
): Promise<void> {
  for (const push of pushes) await ctx.emit('code.pushed', { projectId, userId, push, cause, pushOptions })
}
