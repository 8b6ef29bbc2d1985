import type { Context } from '../../kernel/context.ts'
import type { Subjects } from '../../policy.ts'
import { toUserSummary } from '../accounts/user.ts'
import type { Member } from './member.ts'

type Container = Subjects['project'] | Subjects['group']

/** The columns that say whose a membership, share or similar row is. */
export const ownerOf = (subject: Container) =>
  subject.kind === 'project'
    ? { projectId: subject.project.id, groupId: null }
    : { projectId: null, groupId: subject.group.id }

/** Direct memberships of a project or a group, in the order in which they were made. */
export const directMembers = (ctx: Context, subject: Container) =>
  ctx.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where((eb) =>
      subject.kind === 'project'
        ? eb('member.projectId', '=', subject.project.id)
        : eb('member.groupId', '=', subject.group.id),
    )
    .orderBy('member.id')
    .select(['user.id', 'user.username', 'user.name', 'user.state', 'user.avatarUrl', 'user.email'])
    .select(['member.accessLevel', 'member.expiresAt'])

type MemberRow = Awaited<ReturnType<ReturnType<typeof directMembers>['executeTakeFirstOrThrow']>>

export const toMember = (row: MemberRow): Member => ({
  ...toUserSummary(row),
  accessLevel: row.accessLevel,
  expiresAt: row.expiresAt,
})

/** The group that gives a user the highest level on everything in or below `namespaceId`. */
export async function inheritedMembership(
  ctx: Context,
  userId: number,
  namespaceId: number,
): Promise<{ accessLevel: number; groupName: string } | undefined> {
  const row = await ctx.db
    .selectFrom('member')
    .innerJoin('namespaceLineage as up', 'up.ancestorId', 'member.groupId')
    .innerJoin('namespace as group', 'group.id', 'member.groupId')
    .where('up.namespaceId', '=', namespaceId)
    .where('member.userId', '=', userId)
    .orderBy('member.accessLevel', 'desc')
    .orderBy('up.depth')
    .select(['member.accessLevel', 'group.fullName as groupName'])
    .limit(1)
    .executeTakeFirst()
  return row
}
