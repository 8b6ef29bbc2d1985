import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { Id } from '../../../kernel/inputs.ts'
import { query } from '../../../kernel/operation.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { type OpenedRepository, openRepository } from '../../code/repository/opened-repository.ts'
import { listInput, listRules } from '../../collaboration/merge-requests/filters.ts'
import { listMergeRequests, type MergeRequestPage } from '../../collaboration/merge-requests/list.ts'
import { type MergedCommit, selectMergedCommits } from '../environments/merged-commits.ts'
import { selectDeployments } from '../environments/queries.ts'
import type { DeploymentDetails } from './deployment-details.ts'
import { getDeployment } from './mutations.ts'

/** The commit that the environment had before; undefined for its first deployment. */
const findPreviousSha = async (ctx: Context, { project }: Subjects['project'], deployment: DeploymentDetails) => {
  const row = await selectDeployments(ctx, project.id)
    .where('environmentId', '=', deployment.environment.id)
    .where('status', '=', 'success')
    .where('id', '<', deployment.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.sha
}

/** The ids of the merge requests that a deployment adds to the environment. */
const findShipped = async (
  { repository, abortable }: OpenedRepository,
  candidates: readonly MergedCommit[],
  { sha, previous }: { readonly sha: string; readonly previous: string | undefined },
): Promise<readonly number[]> => {
  if ((await repository.commit(sha)) === undefined) return []
  const merged = candidates.flatMap((candidate) => candidate.sha ?? [])
  const deployed = await repository.findReachable({ commits: merged, from: sha, ...abortable })
  const knowsPrevious = previous !== undefined && (await repository.commit(previous)) !== undefined
  const earlier = knowsPrevious
    ? await repository.findReachable({ commits: deployed, from: previous, ...abortable })
    : []
  const shipped = new Set(deployed.filter((commit) => !earlier.includes(commit)))
  return candidates.filter((candidate) => shipped.has(candidate.sha ?? '')).map(({ id }) => id)
}

/** The part of `deployments` for merge requests. */
export const deploymentMergeRequests = {
  /**
   * Lists merge requests that a successful deployment has added to its environment: they were merged into the deployed commit,
   * and not into that of the previous successful deployment. Only the 1,000 newest merge requests of the project are examined.
   */
  listMergeRequests: query({
    on: project,
    can: 'environment.read',
    input: {
      ...listInput,
      /** Id, not iid, of the deployment. */
      deployment: Id,
    },
    rules: listRules,
    async run(ctx, { deployment: id, ...input }, subject) {
      assertAbility<'project'>(ctx.actor, subject, 'mergeRequest.list')
      const deployment = await getDeployment(ctx, subject.project, id)
      const opened = deployment.status === 'success' ? await openRepository(ctx, subject) : undefined
      if (opened === undefined) return listMergeRequests(ctx, subject, input, { ids: [] })
      const candidates = await selectMergedCommits(ctx, subject.project.id).execute()
      const commits = { sha: deployment.sha, previous: await findPreviousSha(ctx, subject, deployment) }
      return afterTransaction(async ({ read }): Promise<MergeRequestPage> => {
        const ids = await findShipped(opened, candidates, commits)
        return read((later) => listMergeRequests(later, subject, input, { ids }))
      })
    },
  }),
}
