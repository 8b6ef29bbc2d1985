import type { Subjects } from '../../../contract/subjects.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { Pipeline } from '../pipeline-records/pipeline.ts'
import { findLastPipelines } from '../pipeline-records/queries.ts'
import { type OpenedRepository, readCommit, resolveRevision } from '../repository/opened-repository.ts'
import { type CommitDetails, toStats } from './commit.ts'

type CommitSource = Pick<OpenedRepository, 'repository' | 'projectPath' | 'abortable'>

/** @throws PlatformError `not_found` for an unknown revision */
export const requireCommit = async (opened: OpenedRepository | undefined, sha: string) => {
  const id = sha === '' ? undefined : await resolveRevision(opened, sha)
  if (opened === undefined || id === undefined) throw notFound('Commit')
  return { opened, id }
}

/** Reads commits in the given order. */
export const readCommits = async (
  { repository, ...source }: CommitSource,
  projectId: number,
  ids: readonly string[],
  { withStats }: { readonly withStats: boolean },
): Promise<CommitDetails[]> => {
  const stats = withStats ? await repository.commitStats(ids, source.abortable) : undefined
  return Promise.all(
    ids.map(async (id) => {
      const lines = stats?.get(id)
      return {
        ...(await readCommit({ repository, ...source }, id)),
        projectId,
        status: null,
        lastPipeline: null,
        ...(lines && { stats: toStats(lines) }),
      }
    }),
  )
}

/** Adds the newest pipeline to a commit, for users who can see it. */
export const addLastPipeline = async (
  { read }: Pick<TransactionRunner, 'read'>,
  subject: Subjects['project'],
  commit: CommitDetails,
): Promise<CommitDetails> => {
  const pipelines = await read(async (ctx) =>
    hasAbility(ctx.actor, subject, 'pipeline.read')
      ? findLastPipelines(ctx, commit.projectId, [commit.id])
      : new Map<string, Pipeline>(),
  )
  const lastPipeline = pipelines.get(commit.id) ?? null
  return { ...commit, status: lastPipeline?.status ?? null, lastPipeline }
}
