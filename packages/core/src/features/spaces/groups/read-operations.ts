import * as v from 'valibot'
import { group, parentGroup } from '../../../access/subjects.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { query } from '../../../kernel/operation.ts'
import { cursorInsteadOfPage } from '../../../kernel/paging.ts'
import { readGroupDetails } from './group-details.ts'
import { groupFilters, listGroups, selectReadableGroups } from './group-list.ts'

const selectDescendantIds = ({ db }: Context, groupId: number) =>
  db.selectFrom('namespaceLineage').where('ancestorId', '=', groupId).where('depth', '>', 0).select('namespaceId')

export const groupRecordOperations = {
  /**
   * Lists groups, ordered by name: all, or the subgroups of a group. Users receive the groups of their memberships with
   * ancestors and subgroups; `allAvailable` adds all others that they can read. Administrators receive all groups, anonymous
   * callers public ones.
   */
  list: query({
    on: parentGroup,
    can: 'group.list',
    input: {
      ...groupFilters,
      /** Whether to include the subgroups of the parent on all levels, and not only the direct ones. Default: false. */
      includeDescendants: v.optional(v.boolean(), false),
    },
    rules: [cursorInsteadOfPage],
    run(ctx, { includeDescendants, ...filters }, subject) {
      let rows = selectReadableGroups(ctx)
      if (subject.kind === 'group') {
        const { id } = subject.group
        rows = includeDescendants
          ? rows.where('namespace.id', 'in', selectDescendantIds(ctx, id))
          : rows.where('namespace.parentId', '=', id)
      }
      return listGroups(ctx, rows, filters)
    },
  }),

  /** Lists the groups that are shared with a group and that the current user can read: it was invited to them. */
  listShared: query({
    on: group,
    can: 'group.read',
    input: groupFilters,
    rules: [cursorInsteadOfPage],
    run(ctx, { allAvailable = true, ...filters }, { group }) {
      const shared = ctx.db
        .selectFrom('share')
        .where('share.withGroupId', '=', group.id)
        .where('share.groupId', 'is not', null)
        .where(isUnexpired('share.expiresAt', today(ctx)))
        .select('share.groupId')
        .$castTo<{ groupId: number }>()
      return listGroups(ctx, selectReadableGroups(ctx).where('namespace.id', 'in', shared), {
        ...filters,
        allAvailable,
      })
    },
  }),

  /** Gets a group with its settings, its shares and its newest projects. */
  get: query({
    on: group,
    can: 'group.read',
    input: {
      /** Whether to include `customAttributes`. Ignored unless the current user is an administrator. Default: false. */
      withCustomAttributes: v.optional(v.boolean(), false),
      /** Whether to include projects, shares and the registration token of runners. Default: true. */
      withProjects: v.optional(v.boolean(), true),
    },
    run: (ctx, options, subject) => readGroupDetails(ctx, subject, options),
  }),
}
