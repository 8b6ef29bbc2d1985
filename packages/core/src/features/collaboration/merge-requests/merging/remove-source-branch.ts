import { findPastActor } from '../../../../access/authenticate.ts'
import type { Context } from '../../../../kernel/context.ts'
import { defineJob } from '../../../../kernel/jobs/job.ts'
import { changeReferences, updateAnnounced } from '../../../code/repository/reference-changes.ts'
import type { RepositoryWriter } from '../../../code/repository/repository-lock.ts'
import { changeRepository, openForWriting } from '../../../code/repository/writable-repository.ts'

interface MergedBranch {
  /** The project with the branch. */
  readonly projectId: number
  readonly branch: string
  /** The merged commit. */
  readonly sha: string
  /** Null: the host. */
  readonly userId: number | null
}

/** Removes the branch of a fork, unless it was removed or has other commits than those that were merged. */
const removeBranch = (writer: RepositoryWriter, { projectId, branch, sha, userId }: MergedBranch): Promise<void> =>
  changeRepository(writer, projectId, async (locked) => {
    const repository = await openForWriting(locked, projectId)
    if ((await repository?.branch(branch)) !== sha || repository === undefined) return
    const updates = [{ name: `refs/heads/${branch}`, from: sha, to: undefined }]
    await changeReferences(locked, repository, projectId, {
      userId,
      apply: updateAnnounced(repository, updates),
    })
  })

/** The push rules and protected branches of the fork apply to the user who has merged. */
export const removeSourceBranch = defineJob('mergeRequests.removeSourceBranch', {
  async run({ ports, write }, merged) {
    const asMerger = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
      write(async (ctx) => work(ctx.actAs(await findPastActor(ctx, merged.userId, 'merge'))))
    if (await write(async (ctx) => (await findProjectId(ctx, merged.projectId)) === undefined)) return
    await removeBranch({ ports, write: asMerger }, merged)
  },
})

const findProjectId = ({ db }: Context, id: number) =>
  db.selectFrom('project').where('id', '=', id).select('id').executeTakeFirst()
