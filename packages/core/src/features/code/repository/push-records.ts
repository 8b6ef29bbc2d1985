import type { PushVolume } from '../../../contract/push-volume.ts'
import type { Signals } from '../../../contract/signals.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Repository } from '../../../ports/git.ts'
import { defined } from '../../../shared/defined.ts'
import { type PushRecord, stripRefPrefix, toCommitTitle, toPushAction } from './push.ts'
import { measurePushes } from './push-volume.ts'
import type { ReferenceMove } from './reference-move.ts'

const isBranch = (ref: string) => !ref.startsWith('refs/tags/')

/** Above this number of new branches, their commits are counted with one process of git. */
const maxSeparateCounts = 3

/**
 * Numbers of commits that a push adds to branches, by the full name of the branch. For a new branch, commits of other branches are
 * not counted. Commits that a push adds to several new branches count for the first one.
 */
const countCommits = async (
  repository: Repository,
  moves: readonly ReferenceMove[],
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  const created: { readonly ref: string; readonly tip: string }[] = []
  for (const { ref, before, after } of moves) {
    if (after === null || !isBranch(ref)) continue
    if (before === null) created.push({ ref, tip: after })
    else counts.set(ref, await repository.countCommits({ commit: after, exclude: [before] }))
  }
  if (created.length === 0) return counts
  const names = new Set(created.map(({ ref }) => ref))
  const others = (await repository.branches()).filter(({ name }) => !names.has(`refs/heads/${name}`))
  const exclude = [...new Set(others.map(({ commit }) => commit))]
  const tips = created.map(({ tip }) => tip)
  const numbers =
    tips.length > maxSeparateCounts
      ? await repository.countEachCommits({ tips, exclude })
      : await Promise.all(
          tips.map((commit, at) => repository.countCommits({ commit, exclude: [...exclude, ...tips.slice(0, at)] })),
        )
  for (const [at, { ref }] of created.entries()) counts.set(ref, numbers[at] ?? 0)
  return counts
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
  const unknown = await Promise.all(
    moves.map(
      async ({ ref, after }) => isBranch(ref) && after !== null && (await repository.commit(after)) === undefined,
    ),
  )
  if (unknown.includes(true)) throw notFound('Commit')
  const counts = await countCommits(repository, moves)
  return Promise.all(
    moves.map((move) =>
      isBranch(move.ref)
        ? readBranchRecord(repository, move, counts.get(move.ref) ?? 0)
        : readTagRecord(repository, move),
    ),
  )
}

const readBranchRecord = async (
  repository: Repository,
  move: ReferenceMove,
  commitCount: number,
): Promise<PushRecord> => {
  const commit = move.after === null ? undefined : await repository.commit(move.after)
  return toPushRecord(move, { commitCount, message: commit?.title ?? null })
}

const readTagRecord = async (repository: Repository, { ref, before, after }: ReferenceMove): Promise<PushRecord> => {
  const peel = async (id: string | null) => (id === null ? null : ((await repository.peel(id)) ?? id))
  const target = { ref, before: await peel(before), after: await peel(after) }
  const commit = target.after === null ? undefined : await repository.commit(target.after)
  return toPushRecord(target, { commitCount: 0, message: commit?.title ?? null })
}

/** Emits `code.pushed` for each push. `volumes`: of the pushes, if they are a part of a larger push. `userId` null: pushed by the host, not recorded as activity of a user. */
export async function emitPushes(
  ctx: Context,
  projectId: number,
  userId: number | null,
  pushes: readonly PushRecord[],
  {
    cause = null,
    pushOptions = [],
    volumes = measurePushes(pushes),
  }: Partial<Pick<Signals['code.pushed'], 'cause' | 'pushOptions'>> & { readonly volumes?: readonly PushVolume[] } = {},
): Promise<void> {
  for (const [at, push] of pushes.entries())
    await ctx.emit('code.pushed', { projectId, userId, push, cause, pushOptions, volume: defined(volumes[at]) })
}
