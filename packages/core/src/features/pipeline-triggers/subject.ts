import * as v from 'valibot'
import { getProjectAccessLevel } from '../../access/actor-level.ts'
import { findActiveActor } from '../../access/authenticate.ts'
import { findProject } from '../../access/projects.ts'
import { hashToken } from '../../access/token-digest.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { IdOrName } from '../../kernel/inputs.ts'
import type { SubjectLoader } from '../../kernel/operation.ts'

const entries = {
  /** Id (number) or full path (string, case-insensitive) of the project: `acme/web`. */
  project: IdOrName,
  /** Token of a trigger of the project. */
  token: v.string(),
}

const findTrigger = ({ db, now }: Context, token: string) =>
  db
    .selectFrom('pipelineTrigger')
    .where('digest', '=', hashToken(token))
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .select(['id', 'projectId', 'ownerId'])
    .executeTakeFirst()

/** A trigger by its token. The errors do not reveal whether the project exists. */
export const triggerByToken: SubjectLoader<'pipelineTrigger', typeof entries> = {
  kinds: ['pipelineTrigger'],
  entries,
  async load(ctx, { project: reference, token }) {
    const trigger = await findTrigger(ctx, token)
    const project = await findProject(ctx, reference)
    if (trigger === undefined || project?.id !== trigger.projectId) throw notFound()
    await ctx.lockContainer({ kind: 'project', ...project })
    const owner = await findActiveActor(ctx, trigger.ownerId)
    if (owner === undefined) throw notFound()
    const access = await getProjectAccessLevel(ctx.actAs(owner), project)
    return { kind: 'pipelineTrigger', project, owner, access, triggerId: trigger.id }
  },
}
