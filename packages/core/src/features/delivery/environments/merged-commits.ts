import type { Context } from '../../../kernel/context.ts'

/** At most this many merge requests of a project, the newest ones, are examined. */
const maxCandidates = 1_000

/** A merged merge request and the commit on its target branch. */
export interface MergedCommit {
  readonly id: number
  readonly sha: string | null
}

/** A merge by fast-forward has no commit of its own: it moves the target branch to the head of the source branch. */
export const selectMergedCommits = ({ db }: Pick<Context, 'db'>, projectId: number) =>
  db
    .selectFrom('mergeRequest')
    .where('projectId', '=', projectId)
    .where('state', '=', 'merged')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(maxCandidates)
    .select(({ fn, ref, selectFrom }) => [
      'mergeRequest.id',
      fn
        .coalesce(
          ref('mergeCommitSha'),
          ref('squashCommitSha'),
          selectFrom('mergeRequestVersion')
            .whereRef('mergeRequestVersion.mergeRequestId', '=', 'mergeRequest.id')
            .orderBy('mergeRequestVersion.id', 'desc')
            .limit(1)
            .select('headSha'),
        )
        .as('sha'),
    ])
