import * as v from 'valibot'
import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findActiveActor, findJobActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import { hashToken } from '../../../access/token-digest.ts'
import type { UserActor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'

const entries = {
  /** Id (number) or full path (string, case-insensitive) of the project: `acme/web`. */
  project: IdOrName,
  /** Token of a trigger of the project, or of a running job whose tokens the project permits. */
  token: v.string(),
}

/** The owner of a new pipeline: that of the trigger, or the user of the job. */
interface Caller {
  readonly owner: UserActor
  readonly triggerId: number | null
}

const findTrigger = ({ db, now }: Context, token: string) =>
  db
    .selectFrom('pipelineTrigger')
    .where('digest', '=', hashToken(token))
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .select(['id', 'projectId', 'ownerId'])
    .executeTakeFirst()

/** The current user with a token; undefined if the token is unknown, or one of another project's trigger. */
const findCaller = async (ctx: Context, token: string, projectId: number | undefined): Promise<Caller | undefined> => {
  const trigger = await findTrigger(ctx, token)
  if (trigger === undefined) {
    const owner = await findJobActor(ctx, { token })
    return owner && { owner, triggerId: null }
  }
  const owner = trigger.projectId === projectId ? await findActiveActor(ctx, trigger.ownerId) : undefined
  return owner && { owner, triggerId: trigger.id }
}

/** A trigger or a job by its token. The errors do not reveal whether the project exists. */
export const triggerByToken: SubjectLoader<'pipelineTrigger', typeof entries> = {
  kinds: ['pipelineTrigger'],
  entries,
  async load(ctx, { project: reference, token }) {
    const project = await findProject(ctx, reference)
    const caller = await findCaller(ctx, token, project?.id)
    if (caller === undefined || project === undefined) throw notFound()
    await ctx.lockContainer({ kind: 'project', ...project })
    const access = await getProjectAccessLevel(ctx.actAs(caller.owner), project)
    return { kind: 'pipelineTrigger', project, access, ...caller }
  },
}
