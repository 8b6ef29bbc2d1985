import { Access } from '../../../access/levels.ts'
import { findNamespace } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { dispatch, dispatchToSystem, findGroupOwners } from './dispatch.ts'
import { buildGroupMemberEvent, buildTeamMemberEvent, type MemberAction } from './payloads/system.ts'

interface MemberKey {
  readonly projectId: number | null
  readonly groupId: number | null
  readonly userId: number
}

type Membership = Parameters<typeof buildTeamMemberEvent>[3]

const findMembership = ({ db }: Context, { projectId, groupId, userId }: MemberKey): Promise<Membership | undefined> =>
  db
    .selectFrom('member')
    .where('userId', '=', userId)
    .where(projectId === null ? 'groupId' : 'projectId', '=', projectId ?? groupId)
    .select(['userId', 'accessLevel', 'expiresAt', 'createdAt'])
    .executeTakeFirst()

const dispatchProjectMember = async (ctx: Context, action: MemberAction, projectId: number, membership: Membership) => {
  const project = await findProject(ctx, projectId)
  if (project) await dispatchToSystem(ctx, (payload) => buildTeamMemberEvent(payload, action, project, membership))
}

const dispatchGroupMember = async (ctx: Context, action: MemberAction, groupId: number, membership: Membership) => {
  const group = await findNamespace(ctx, groupId)
  if (!group) return
  await dispatchToSystem(ctx, (payload) => buildGroupMemberEvent(payload, action, group, membership))
  await dispatch(ctx, await findGroupOwners(ctx, groupId), [
    { kind: 'member', build: (payload) => buildGroupMemberEvent(payload, action, group, membership) },
  ])
}

const dispatchMember = async (
  ctx: Context,
  action: MemberAction,
  { projectId, groupId }: MemberKey,
  membership: Membership,
) => {
  if (projectId !== null) await dispatchProjectMember(ctx, action, projectId, membership)
  if (groupId !== null) await dispatchGroupMember(ctx, action, groupId, membership)
}

const dispatchCurrentMember = async (ctx: Context, action: MemberAction, key: MemberKey) => {
  const membership = await findMembership(ctx, key)
  if (membership) await dispatchMember(ctx, action, key, membership)
}

/** A request is for the level of developers, which approvals grant by default. */
const dispatchRequest = (ctx: Context, action: MemberAction, key: MemberKey) =>
  dispatchMember(ctx, action, key, {
    userId: key.userId,
    accessLevel: Access.developer,
    expiresAt: null,
    createdAt: ctx.now,
  })

/** Write the events of memberships and of requests for them. */
export const hookMemberReactions: readonly Reaction[] = [
  defineReaction('member.joined', (ctx, key) => dispatchCurrentMember(ctx, 'add_to', key)),
  defineReaction('member.updated', (ctx, key) => dispatchCurrentMember(ctx, 'update_for', key)),
  defineReaction('member.left', (ctx, { accessLevel, ...key }) =>
    dispatchMember(ctx, 'remove_from', key, {
      userId: key.userId,
      accessLevel,
      expiresAt: null,
      createdAt: ctx.now,
    }),
  ),
  defineReaction('accessRequest.opened', (ctx, key) => dispatchRequest(ctx, 'access_request_to', key)),
  defineReaction('accessRequest.ended', async (ctx, { withdrawn, ...key }) => {
    if (!withdrawn) await dispatchRequest(ctx, 'access_request_denied_for', key)
  }),
]
