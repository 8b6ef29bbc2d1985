import { Access } from '../../../access/levels.ts'
import { findGroup } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import { lower } from '../../../db/functions.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import type { Container } from '../members/membership-rows.ts'
import { addMember } from '../members/mutations.ts'
import { describeRejection } from '../members/rejection.ts'

/** Invitations that one transaction accepts. */
const batchSize = 50

interface Target {
  readonly projectId: number | null
  readonly groupId: number | null
}

const findContainer = async (ctx: Context, { projectId, groupId }: Target): Promise<Container | undefined> => {
  if (projectId !== null) {
    const project = await findProject(ctx, projectId)
    return project && { kind: 'project', project, access: Access.owner }
  }
  const group = await findGroup(ctx, defined(groupId))
  return group && { kind: 'group', group, access: Access.owner, hasVisibleProject: false }
}

interface StoredInvitation extends Target {
  readonly id: number
  readonly accessLevel: number
  readonly expiresAt: string | null
}

/**
 * Makes a user, whose address can be another one, a member with an invitation, and removes it.
 *
 * @throws PlatformError `not_found` for an expired invitation, and those of `addMember`
 */
export async function acceptInvitation(
  ctx: Context,
  userId: number,
  { id, accessLevel, expiresAt, ...target }: StoredInvitation,
): Promise<void> {
  const container = await findContainer(ctx, target)
  if (!container || (expiresAt !== null && expiresAt <= today(ctx))) throw notFound('Invitation')
  await ctx.db.deleteFrom('invitation').where('id', '=', id).execute()
  await addMember(ctx, container, userId, { accessLevel, expiresAt })
}

/**
 * Makes a user a member of the projects and groups that have invited one of the user's addresses, oldest invitation first, and
 * removes the invitations. An expired one, or one with a level below an inherited one, has no effect.
 *
 * @returns whether there are more invitations
 */
export async function acceptInvitations(ctx: Context, userId: number, email: string): Promise<boolean> {
  const invitations = await ctx.db
    .selectFrom('invitation')
    .where(lower('email'), '=', email.toLowerCase())
    .orderBy('id')
    .limit(batchSize)
    .select(['id', 'projectId', 'groupId', 'accessLevel', 'expiresAt'])
    .execute()
  if (!invitations.length) return false
  const ids = invitations.map(({ id }) => id)
  await ctx.db.deleteFrom('invitation').where('id', 'in', ids).execute()
  for (const { accessLevel, expiresAt, ...target } of invitations) {
    if (expiresAt !== null && expiresAt <= today(ctx)) continue
    const container = await findContainer(ctx, target)
    if (container) await describeRejection(() => addMember(ctx, container, userId, { accessLevel, expiresAt }))
  }
  return invitations.length === batchSize
}
