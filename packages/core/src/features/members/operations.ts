import * as v from 'valibot'
import { groupLevels, levelName, projectLevels } from '../../access/levels.ts'
import { container } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { DateOnly, Id, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import type { Subjects } from '../../policy.ts'
import { findUser } from '../accounts/queries.ts'
import { directMembers, inheritedMembership, ownerOf, toMember } from './queries.ts'

type Container = Subjects['project'] | Subjects['group']

/** A level must exist for the container and not be below what the user inherits from the groups above. */
const refuseBadLevel = async (ctx: Context, subject: Container, userId: number, level: number) => {
  const grantable = subject.kind === 'project' ? projectLevels : groupLevels
  if (!grantable.includes(level)) throw invalid({ accessLevel: ['is not included in the list'] })
  const above = subject.kind === 'project' ? subject.project.namespaceId : subject.group.parentId
  const inherited = above === null ? undefined : await inheritedMembership(ctx, userId, above)
  if (inherited && level < inherited.accessLevel) {
    const from = `${levelName(inherited.accessLevel)} inherited membership from group ${inherited.groupName}`
    throw invalid({ accessLevel: [`should be greater than or equal to ${from}`] })
  }
}

export const members = {
  /** Direct members, in the order in which they joined. */
  list: query({
    on: container,
    can: 'member.read',
    input: paging,
    run: (ctx, at, subject) => paginate(directMembers(ctx, subject), at, toMember),
  }),

  /** Makes a user a direct member. */
  add: command({
    on: container,
    can: 'member.manage',
    input: { user: Reference, accessLevel: Id, expiresAt: v.optional(v.nullable(DateOnly), null) },
    async run(ctx, { user, accessLevel, expiresAt }, subject) {
      const { id: userId } = await findUser(ctx, user)
      const direct = directMembers(ctx, subject).where('member.userId', '=', userId)
      if (await direct.executeTakeFirst()) throw conflict('Member already exists')
      await refuseBadLevel(ctx, subject, userId, accessLevel)
      const owner = ownerOf(subject)
      await ctx.db
        .insertInto('member')
        .values({ ...owner, userId, accessLevel, expiresAt, createdAt: ctx.now })
        .execute()
      await ctx.emit('member.joined', { ...owner, userId })
      return toMember(await direct.executeTakeFirstOrThrow())
    },
  }),

  /** Ends a direct membership. */
  remove: command({
    on: container,
    can: 'member.manage',
    input: { user: Reference },
    async run(ctx, { user }, subject) {
      const { id: userId } = await findUser(ctx, user)
      const owner = ownerOf(subject)
      const [removed] = await ctx.db
        .deleteFrom('member')
        .where('userId', '=', userId)
        .where(owner.projectId === null ? 'groupId' : 'projectId', '=', owner.projectId ?? owner.groupId)
        .returning('id')
        .execute()
      if (!removed) throw notFound()
      await ctx.emit('member.left', { ...owner, userId, expired: false })
    },
  }),
}
