import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findActiveActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'

/** For whom a job acts, and the project as that user sees it. */
interface ActingUser {
  readonly actor: Actor
  readonly subject: Subjects['project']
}

/**
 * The user, or the host if `userId` is null, for whom a job acts after an event; undefined if the user may not do that any longer.
 */
export const findActingUser = async (
  ctx: Context,
  { projectId, userId }: { readonly projectId: number; readonly userId: number | null },
  ability: 'environment.manage' | 'pipeline.run',
): Promise<ActingUser | undefined> => {
  const actor: Actor | undefined =
    userId === null ? { kind: 'system', reason: 'event' } : await findActiveActor(ctx, userId)
  const project = await findProject(ctx, projectId)
  if (actor === undefined || project === undefined) return undefined
  const access = await getProjectAccessLevel(ctx.actAs(actor), project)
  const subject = { kind: 'project', project, access } as const
  return hasAbility(actor, subject, ability) ? { actor, subject } : undefined
}
