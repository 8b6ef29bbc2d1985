import * as v from 'valibot'
import { groupLevels } from '../../access/levels.ts'
import { findGroup } from '../../access/namespaces.ts'
import { container } from '../../access/subjects.ts'
import type { Subjects } from '../../contract/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { DateOnly, Id, IdOrName } from '../../kernel/inputs.ts'
import { command } from '../../kernel/operation.ts'
import { containerKey } from '../members/queries.ts'

/** A project or group shared with another group. */
export interface Share {
  groupId: number
  groupName: string
  groupFullPath: string
  /** The maximum access level of the group's members. */
  accessLevel: number
  /** The first day without access, or null. */
  expiresAt: string | null
}

const getInvitedGroup = async (ctx: Context, ref: number | string) => {
  const group = await findGroup(ctx, ref)
  if (!group) throw notFound('Group')
  return group
}

/** `shareWithGroupLock` of a group forbids sharing its projects and those of all its subgroups. */
const assertSharingAllowed = async (ctx: Context, subject: Subjects['project'] | Subjects['group']) => {
  if (subject.kind === 'group') return
  const locked = await ctx.db
    .selectFrom('namespaceLineage')
    .innerJoin('namespace', 'namespace.id', 'namespaceLineage.ancestorId')
    .where('namespaceLineage.namespaceId', '=', subject.project.namespaceId)
    .where('namespace.shareWithGroupLock', '=', true)
    .select('namespace.id')
    .limit(1)
    .executeTakeFirst()
  if (locked) throw invalid('The group or an ancestor of it does not allow sharing projects with other groups')
}

const assertNotOwnGroup = async (ctx: Context, subject: Subjects['project'] | Subjects['group'], groupId: number) => {
  const namespaceId = subject.kind === 'project' ? subject.project.namespaceId : subject.group.id
  const ancestor = await ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', namespaceId)
    .where('ancestorId', '=', groupId)
    .select('depth')
    .executeTakeFirst()
  if (ancestor) throw invalid({ groupId: ['cannot be the group itself or one of its ancestors'] })
}

export const shares = {
  /** Shares a project or a group with another group. Its members get at most `accessLevel`. */
  add: command({
    on: container,
    can: 'share.manage',
    input: { withGroup: IdOrName, accessLevel: Id, expiresAt: v.optional(v.nullable(DateOnly), null) },
    async run(ctx, { withGroup, accessLevel, expiresAt }, subject): Promise<Share> {
      const group = await getInvitedGroup(ctx, withGroup)
      await assertSharingAllowed(ctx, subject)
      if (!groupLevels.includes(accessLevel)) throw invalid({ accessLevel: ['is not included in the list'] })
      await assertNotOwnGroup(ctx, subject, group.id)
      const owner = containerKey(subject)
      const existing = await ctx.db
        .selectFrom('share')
        .where('withGroupId', '=', group.id)
        .where(owner.projectId === null ? 'groupId' : 'projectId', '=', owner.projectId ?? owner.groupId)
        .select('id')
        .executeTakeFirst()
      if (existing) throw conflict('Already shared with this group')
      await ctx.db
        .insertInto('share')
        .values({
          ...owner,
          withGroupId: group.id,
          accessLevel,
          expiresAt,
          createdAt: ctx.now,
        } satisfies CompleteRow<'share'>)
        .execute()
      const { id: groupId, name: groupName, fullPath: groupFullPath } = group
      return { groupId, groupName, groupFullPath, accessLevel, expiresAt }
    },
  }),

  /** Ends a share. */
  remove: command({
    on: container,
    can: 'share.manage',
    input: { withGroup: IdOrName },
    async run(ctx, { withGroup }, subject) {
      const group = await getInvitedGroup(ctx, withGroup)
      const owner = containerKey(subject)
      const [removed] = await ctx.db
        .deleteFrom('share')
        .where('withGroupId', '=', group.id)
        .where(owner.projectId === null ? 'groupId' : 'projectId', '=', owner.projectId ?? owner.groupId)
        .returning('id')
        .execute()
      if (!removed) throw notFound()
    },
  }),
}
