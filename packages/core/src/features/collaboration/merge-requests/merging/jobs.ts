import { findPastActor } from '../../../../access/authenticate.ts'
import { findProject } from '../../../../access/projects.ts'
import type { Context } from '../../../../kernel/context.ts'
import { defineJob, type JobContext } from '../../../../kernel/jobs/job.ts'
import type { Repository } from '../../../../ports/git.ts'
import { defined } from '../../../../shared/defined.ts'
import { type MergeRequestHead, readHead } from '../changes/head.ts'
import { refreshVersion } from '../changes/refresh.ts'
import { prepareHead } from '../changes/source-branch.ts'
import { findMergeRequest, mergeRequestColumns } from '../queries.ts'
import { setState } from '../state.ts'
import { closeIssues } from './close-issues.ts'

/** Closes issues of other projects than that of the merge request. */
export const closeMergedIssues = defineJob('mergeRequests.closeIssues', {
  async run({ write }, { userId, source, issues }) {
    await write(async (ctx) => {
      const project = await findProject(ctx, source.projectId)
      if (project === undefined) return
      await closeIssues(ctx.actAs(await findPastActor(ctx, userId, 'merge')), issues, { source, project })
    })
  },
})

/** Open merge requests into a branch that had commits of their own at some time. */
const readCandidates = async (ctx: Context, projectId: number, branch: string): Promise<MergeRequestHead[]> => {
  const project = await findProject(ctx, projectId)
  if (project === undefined) return []
  const records = await ctx.db
    .selectFrom('mergeRequest')
    .where('projectId', '=', projectId)
    .where('targetBranch', '=', branch)
    .where('state', '=', 'opened')
    .orderBy('id')
    .select(mergeRequestColumns)
    .execute()
  const heads: MergeRequestHead[] = []
  for (const mergeRequest of records) heads.push(await readHead(ctx, { project, mergeRequest }))
  return heads.filter(
    ({ storedVersion }) => storedVersion && storedVersion.baseCommitSha !== storedVersion.headCommitSha,
  )
}

interface DetectedMerge {
  readonly head: MergeRequestHead
  readonly tip: string
}

const readTip = async ({ mergeRequest, source, storedVersion }: MergeRequestHead) =>
  (await source?.branch(mergeRequest.sourceBranch)) ?? defined(storedVersion?.headCommitSha)

/** The candidates with a source branch tip that the push has added to the target branch. */
const findMerged = async (
  repository: Repository,
  heads: readonly MergeRequestHead[],
  { before, after }: { readonly before: string; readonly after: string },
): Promise<readonly DetectedMerge[]> => {
  const candidates = await Promise.all(heads.map(async (head) => ({ head, tip: await readTip(head) })))
  const tips = [...new Set(candidates.map(({ tip }) => tip))]
  const contained = await repository.findReachable({ commits: tips, from: after })
  const earlier = await repository.findReachable({ commits: contained, from: before })
  return candidates.filter(({ tip }) => contained.includes(tip) && !earlier.includes(tip))
}

const recordDetected = async (
  { write }: Pick<JobContext, 'write'>,
  { head, tip }: DetectedMerge,
  { userId, after, parents }: { userId: number | null; after: string; parents: readonly string[] },
) => {
  await refreshVersion({ write }, await prepareHead({ write }, head))
  await write(async (ctx) => {
    const { id, projectId, iid } = head.mergeRequest
    const record = await findMergeRequest(ctx, projectId, iid)
    if (record?.state !== 'opened') return
    const mergeCommitSha = parents.slice(1).includes(tip) ? after : null
    await ctx.db
      .updateTable('mergeRequest')
      .set({ mergeCommitSha, mergeStatus: 'can_be_merged' })
      .where('id', '=', id)
      .execute()
    await setState(ctx.actAs(await findPastActor(ctx, userId, 'push')), record, 'merged')
  })
}

/** Marks a merge request as merged if a push has added its commits to the target branch. */
export const detectMerged = defineJob('mergeRequests.detectMerged', {
  async run({ write }, { projectId, userId, branch, before, after }) {
    const heads = await write((ctx) => readCandidates(ctx, projectId, branch))
    const repository = heads[0]?.opened?.repository
    // A host can record pushes of commits that the repository does not contain.
    const [pushed, previous] = await Promise.all([repository?.commit(after), repository?.commit(before)])
    if (repository === undefined || pushed === undefined || previous === undefined) return
    for (const merged of await findMerged(repository, heads, { before, after }))
      await recordDetected({ write }, merged, { userId, after, parents: pushed.parents })
  },
})
