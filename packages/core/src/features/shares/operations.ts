import * as v from 'valibot'
import { groupLevels } from '../../access/levels.ts'
import { container } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { DateOnly, Id, Reference } from '../../kernel/inputs.ts'
import { command } from '../../kernel/operation.ts'
import type { Subjects } from '../../policy.ts'
import { findGroup } from '../groups/queries.ts'
import { ownerOf } from '../members/queries.ts'

/** A project or a group opened to the members of another group. */
export interface Share {
  groupId: number
  groupName: string
  groupFullPath: string
  /** The most that members of the group get. */
  accessLevel: number
  /** The first day without access, or null. */
  expiresAt: string | null
}

const invited = async (ctx: Context, ref: number | string) => {
  const group = await findGroup(ctx, ref)
  if (!group) throw notFound('Group')
  return group
}

/** A group can keep its projects, and those of all groups below it, from being shared. */
const refuseLocked = async (ctx: Context, subject: Subjects['project'] | Subjects['group']) => {
  if (subject.kind === 'group') return
  const locked = await ctx.db
    .selectFrom('namespaceLineage')
    .innerJoin('namespace', 'namespace.id', 'namespaceLineage.ancestorId')
    .where('namespaceLineage.namespaceId', '=', subject.project.namespaceId)
    .where('namespace.shareWithGroupLock', '=', true)
    .select('namespace.id')
    .limit(1)
    .executeTakeFirst()
  if (locked) throw invalid('Sharing projects with other groups is switched off in the group')
}

const refuseOwnGroup = async (ctx: Context, subject: Subjects['project'] | Subjects['group'], groupId: number) => {
  const namespaceId = subject.kind === 'project' ? subject.project.namespaceId : subject.group.id
  const above = await ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', namespaceId)
    .where('ancestorId', '=', groupId)
    .select('depth')
    .executeTakeFirst()
  if (above) throw invalid({ groupId: ['cannot be the group itself or a group above it'] })
}

export const shares = {
  /** Opens a project or a group to the members of another group, at most at `accessLevel`. */
  add: command({
    on: container,
    can: 'share.manage',
    input: { withGroup: Reference, accessLevel: Id, expiresAt: v.optional(v.nullable(DateOnly), null) },
    async run(ctx, { withGroup, accessLevel, expiresAt }, subject): Promise<Share> {
      const group = await invited(ctx, withGroup)
      await refuseLocked(ctx, subject)
      if (!groupLevels.includes(accessLevel)) throw invalid({ accessLevel: ['is not included in the list'] })
      await refuseOwnGroup(ctx, subject, group.id)
      const owner = ownerOf(subject)
      const known = await ctx.db
        .selectFrom('share')
        .where('withGroupId', '=', group.id)
        .where(owner.projectId === null ? 'groupId' : 'projectId', '=', owner.projectId ?? owner.groupId)
        .select('id')
        .executeTakeFirst()
      if (known) throw conflict('Already shared with this group')
      await ctx.db
        .insertInto('share')
        .values({ ...owner, withGroupId: group.id, accessLevel, expiresAt, createdAt: ctx.now })
        .execute()
      const { id: groupId, name: groupName, fullPath: groupFullPath } = group
      return { groupId, groupName, groupFullPath, accessLevel, expiresAt }
    },
  }),

  /** Ends a share. */
  remove: command({
    on: container,
    can: 'share.manage',
    input: { withGroup: Reference },
    async run(ctx, { withGroup }, subject) {
      const group = await invited(ctx, withGroup)
      const owner = ownerOf(subject)
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
