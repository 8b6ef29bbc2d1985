import * as v from 'valibot'
import { instance, userEntries } from '../../../access/subjects.ts'
import { query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { findUser } from './queries.ts'

/** A project or a group of which a user is a direct member. */
export interface UserMembership {
  /** Id of the project or group. */
  sourceId: number
  /** Name of the project or group. */
  sourceName: string
  /** `Project`, or `Namespace` for a group. */
  sourceType: 'Project' | 'Namespace'
  /** Level of the membership: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
  accessLevel: number
}

export const userMemberships = {
  /** Lists the projects and groups of which a user is a direct member, oldest membership first. */
  listMemberships: query({
    on: instance,
    can: 'user.manage',
    input: {
      ...userEntries,
      ...pagingEntries,
      /** Only memberships of projects, or only those of groups (`Namespace`). Default: both. */
      type: v.optional(v.picklist(['Project', 'Namespace'])),
    },
    async run(ctx, { user, type, ...paging }) {
      const { id } = await findUser(ctx, user)
      let rows = ctx.db.selectFrom('member').where('member.userId', '=', id)
      if (type === 'Project') rows = rows.where('member.projectId', 'is not', null)
      if (type === 'Namespace') rows = rows.where('member.groupId', 'is not', null)
      return paginate(
        rows
          .leftJoin('project', 'project.id', 'member.projectId')
          .leftJoin('namespace', 'namespace.id', 'member.groupId')
          .orderBy('member.id')
          .select(['member.projectId', 'member.groupId', 'member.accessLevel'])
          .select(({ fn }) => fn.coalesce('project.name', 'namespace.name').as('sourceName')),
        paging,
        ({ projectId, groupId, accessLevel, sourceName }): UserMembership => ({
          sourceId: defined(projectId ?? groupId),
          sourceName: defined(sourceName),
          sourceType: projectId === null ? 'Namespace' : 'Project',
          accessLevel,
        }),
      )
    },
  }),
}
