import type { DeployKeyActor } from '../kernel/actor.ts'
import { preparedQuery } from '../kernel/prepared-query.ts'
import { chain, type Handle, type MaybePromise } from '../kernel/store.ts'
import { Access } from './levels.ts'

const queryUse = preparedQuery((db, { deployKeyId, projectId }: { deployKeyId: number; projectId: number }) =>
  db
    .selectFrom('deployKeyProject')
    .where('deployKeyId', '=', deployKeyId)
    .where('projectId', '=', projectId)
    .select('canPush'),
)

/** The level of a deploy key on a project: that of a reporter, or of a developer if it may push; 0 in other projects. */
export const getDeployKeyLevel = (
  handle: Handle,
  { sshKeyId }: DeployKeyActor,
  projectId: number,
): MaybePromise<number> =>
  chain(queryUse(handle, { deployKeyId: sshKeyId, projectId }), ([use]) => {
    if (use === undefined) return Access.none
    return use.canPush ? Access.developer : Access.reporter
  })
