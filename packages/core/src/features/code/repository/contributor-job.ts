import { isPlatformError } from '../../../kernel/errors.ts'
import { defineJob, type JobContext } from '../../../kernel/jobs/job.ts'
import type { ContributorTotals, Repository } from '../../../ports/git.ts'
import {
  addTotals,
  completeCopy,
  copyRows,
  findCompleteCounts,
  findUnfinishedCount,
  removeCount,
} from './contributor-counts.ts'
import { findGitRepository } from './queries.ts'

/** Batches of commits that one run counts: the next run lets those of other projects go first. */
const batchesPerRun = 10

type Count = NonNullable<Awaited<ReturnType<typeof findUnfinishedCount>>>

/** The totals of the commits since an earlier one; undefined if there are more than one batch. */
const countNewer = async (repository: Repository, commit: string, earlier: string, signal: AbortSignal) => {
  let newer: Pick<ContributorTotals, 'contributors' | 'commits'> = { contributors: [], commits: 0 }
  for await (const totals of repository.countContributors({ commit, exclude: earlier, offset: 0, signal })) {
    if (totals.hasMore) return undefined
    newer = totals
  }
  return newer
}

/** Completes a count from that of an earlier commit, to which at most one batch of newer commits is added. */
const extendEarlierCount = async ({ read, write, signal }: JobContext, repository: Repository, count: Count) => {
  const { id, projectId, commitId } = count
  const complete = await read((handle) => findCompleteCounts(handle, projectId))
  const commits = complete.map((earlier) => earlier.commitId)
  const reachable = await repository.findReachable({ commits, from: commitId, signal })
  const earlier = complete.find((candidate) => reachable.includes(candidate.commitId))
  const newer = earlier && (await countNewer(repository, commitId, earlier.commitId, signal))
  if (earlier === undefined || newer === undefined) return false
  let after: string | undefined
  do {
    signal.throwIfAborted()
    const last = after
    after = await write((ctx) => copyRows(ctx, { from: earlier.id, to: id, after: last }))
  } while (after !== undefined)
  return write((ctx) => completeCopy(ctx, count, earlier, newer))
}

/** Returns whether commits remain. */
const countNext = async ({ write, signal }: JobContext, repository: Repository, count: Count): Promise<boolean> => {
  let { commits } = count
  let batches = 0
  for await (const totals of repository.countContributors({ commit: count.commitId, offset: commits, signal })) {
    const from = commits
    if (!(await write((ctx) => addTotals(ctx, { ...count, commits: from }, totals)))) return false
    commits += totals.commits
    batches += 1
    if (batches === batchesPerRun) return totals.hasMore
  }
  return false
}

/** Counts the contributors of a long history in small transactions, each of which adds a batch of commits. */
export const countContributors = defineJob('repository.countContributors', {
  async run(tools, { count: id }) {
    const { ports, read, write } = tools
    const found = await read(async (handle) => {
      const count = await findUnfinishedCount(handle, id)
      return count && { count, repository: await findGitRepository({ ...handle, ports }, count.projectId) }
    })
    if (found === undefined) return
    const { count, repository } = found
    try {
      if (repository === undefined) return await write((ctx) => removeCount(ctx, id))
      if (count.commits === 0 && (await extendEarlierCount(tools, repository, count))) return
      if (await countNext(tools, repository, count))
        await write((ctx) => ctx.enqueue('repository.countContributors', { count: id }))
    } catch (error) {
      // A force push has removed the commit, or there never was one.
      if (!isPlatformError(error) || error.code !== 'not_found') throw error
      await write((ctx) => removeCount(ctx, id))
    }
  },
})
