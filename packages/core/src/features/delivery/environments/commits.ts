import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { openRepository } from '../../code/repository/opened-repository.ts'
import { toCommit } from '../../code/repository/repository.ts'
import type { Deployment, JobCommit } from '../deployments/deployment.ts'

/**
 * Adds the commits of pipeline jobs, if the current user can read the code and the repository contains them. Git is read after
 * the transaction.
 */
export const addCommits = async <D extends Deployment, T>(
  ctx: Context,
  subject: Subjects['project'],
  deployments: readonly D[],
  toResult: (deployments: readonly D[]) => T,
): Promise<T | Deferred<T>> => {
  const shas = new Set(deployments.flatMap(({ deployable, sha }) => (deployable?.isPipelineJob ? [sha] : [])))
  const isReadable = shas.size > 0 && hasAbility(ctx.actor, subject, 'code.read')
  const opened = isReadable ? await openRepository(ctx, subject) : undefined
  if (opened === undefined) return toResult(deployments)
  return afterTransaction(async () => {
    const commits = new Map<string, JobCommit>()
    for (const sha of shas) {
      const commit = await opened.repository.commit(sha)
      if (commit !== undefined) commits.set(sha, toCommit(commit, opened.projectPath))
    }
    return toResult(
      deployments.map((deployment) => {
        const { deployable, sha } = deployment
        const commit = commits.get(sha)
        if (!deployable?.isPipelineJob || commit === undefined) return deployment
        return { ...deployment, deployable: { ...deployable, commit } }
      }),
    )
  })
}

/** Adds the commit to one deployment. */
export const addCommit = <D extends Deployment>(
  ctx: Context,
  subject: Subjects['project'],
  deployment: D,
): Promise<D | Deferred<D>> => addCommits(ctx, subject, [deployment], ([first]) => defined(first))
