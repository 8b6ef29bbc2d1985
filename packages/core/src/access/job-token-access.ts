import type { ActorJob } from '../kernel/actor.ts'
import { preparedQuery } from '../kernel/prepared-query.ts'
import { chain, type Handle, type MaybePromise } from '../kernel/store.ts'

const queryJobTokenSettings = preparedQuery((db, { projectId }: { projectId: number }) =>
  db.selectFrom('project').where('id', '=', projectId).select('settings'),
)

/** Entries of the project's list that are the other project, or a group above it. */
const queryAllowlist = preparedQuery((db, { projectId, sourceId }: { projectId: number; sourceId: number }) =>
  db
    .selectFrom('jobTokenAllowlist')
    .where('projectId', '=', projectId)
    .where((eb) =>
      eb.or([
        eb('targetProjectId', '=', sourceId),
        eb(
          'targetGroupId',
          'in',
          eb
            .selectFrom('project')
            .innerJoin('namespaceLineage as up', 'up.namespaceId', 'project.namespaceId')
            .where('project.id', '=', sourceId)
            .select('up.ancestorId'),
        ),
      ]),
    )
    .limit(1)
    .select('id'),
)

/** Whether a project permits the tokens of a job: its own jobs, those of listed projects and groups, or all of them. */
export const isOpenToJob = (handle: Handle, job: ActorJob, projectId: number): MaybePromise<boolean> => {
  if (job.projectId === projectId) return true
  return chain(queryJobTokenSettings(handle, { projectId }), ([project]) => {
    if (project?.settings?.ciInboundJobTokenScopeEnabled === false) return true
    return chain(queryAllowlist(handle, { projectId, sourceId: job.projectId }), (entries) => entries.length > 0)
  })
}
