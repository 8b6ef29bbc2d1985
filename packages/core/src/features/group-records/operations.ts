import * as v from 'valibot'
import { group, instance } from '../../access/subjects.ts'
import { isUnexpired } from '../../db/functions.ts'
import { today } from '../../kernel/context.ts'
import { PlatformError } from '../../kernel/errors.ts'
import { query } from '../../kernel/operation.ts'
import { cursorInsteadOfPage } from '../../kernel/paging.ts'
import { projectFilters, projectPage, selectReadableProjects } from '../projects/project-list.ts'
import { readGroupDetails } from './group-details.ts'
import { groupFilters, listGroups, selectReadableGroups } from './group-list.ts'
import { selectSharedProjects } from './shared-projects.ts'

export const groupRecordOperations = {
  /**
   * Lists groups, ordered by name. Users receive the groups of their memberships with ancestors and subgroups;
   * `allAvailable` adds all others that they can read. Administrators receive all groups, anonymous callers public ones.
   */
  list: query({
    on: instance,
    can: 'group.list',
    input: groupFilters,
    rules: [cursorInsteadOfPage],
    run: (ctx, filters) => listGroups(ctx, selectReadableGroups(ctx), filters),
  }),

  /** Lists the direct subgroups of a group that the caller can read, with the defaults of `list`. */
  subgroups: query({
    on: group,
    can: 'group.read',
    input: groupFilters,
    rules: [cursorInsteadOfPage],
    run: (ctx, filters, { group }) =>
      listGroups(ctx, selectReadableGroups(ctx).where('namespace.parentId', '=', group.id), filters),
  }),

  /** Lists the subgroups of a group on all levels that the caller can read, with the defaults of `list`. */
  descendants: query({
    on: group,
    can: 'group.read',
    input: groupFilters,
    rules: [cursorInsteadOfPage],
    run(ctx, filters, { group }) {
      const below = ctx.db
        .selectFrom('namespaceLineage')
        .where('ancestorId', '=', group.id)
        .where('depth', '>', 0)
        .select('namespaceId')
      return listGroups(ctx, selectReadableGroups(ctx).where('namespace.id', 'in', below), filters)
    },
  }),

  /** Lists the projects of a group and those shared with it that the caller can read, newest first. */
  projects: query({
    on: group,
    can: 'group.read',
    input: {
      ...projectFilters,
      /** Whether to include projects of other groups that are shared with the group. Default: true. */
      withShared: v.optional(v.boolean(), true),
      /** Whether to include the projects of all subgroups, and with `withShared` those shared with them. Default: false. */
      includeSubgroups: v.optional(v.boolean(), false),
      /** Whether to include the projects of all groups above, and with `withShared` those shared with them. Default: false. */
      includeAncestorGroups: v.optional(v.boolean(), false),
      /** Only projects with a security report; requires the paid tier. Default: false. */
      withSecurityReports: v.optional(v.boolean(), false),
    },
    rules: [cursorInsteadOfPage],
    run(ctx, { withShared, includeSubgroups, includeAncestorGroups, withSecurityReports, ...filters }, { group }) {
      if (withSecurityReports && ctx.tier === 'free') {
        throw new PlatformError('not_licensed', 'This operation requires the paid tier')
      }
      const lineage = ctx.db.selectFrom('namespaceLineage')
      const own = lineage.where('ancestorId', '=', group.id).select('namespaceId')
      const above = lineage.where('namespaceId', '=', group.id).select('ancestorId as namespaceId')
      const withSubgroups = includeAncestorGroups ? own.union(above) : own
      const groupIds = includeSubgroups ? withSubgroups : includeAncestorGroups ? above : [group.id]
      let rows = selectReadableProjects(ctx).where((eb) => {
        const isInGroup = eb('project.namespaceId', 'in', groupIds)
        const shared = selectSharedProjects(ctx, groupIds).select('project.id')
        return withShared ? eb.or([isInGroup, eb('project.id', 'in', shared)]) : isInGroup
      })
      if (withSecurityReports) rows = rows.where('project.hasSecurityReports', '=', true)
      return projectPage(ctx, rows, filters)
    },
  }),

  /** Lists the projects of other groups that are shared with a group and that the caller can read, newest first. */
  sharedProjects: query({
    on: group,
    can: 'group.read',
    input: projectFilters,
    rules: [cursorInsteadOfPage],
    run: (ctx, filters, { group }) => projectPage(ctx, selectSharedProjects(ctx, [group.id]), filters),
  }),

  /** Lists the groups that are shared with a group and that the caller can read: it was invited to them. */
  sharedGroups: query({
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
  details: query({
    on: group,
    can: 'group.read',
    input: {
      /** Whether to include `customAttributes`. Ignored unless the caller is an administrator. Default: false. */
      withCustomAttributes: v.optional(v.boolean(), false),
      /** Whether to include projects, shares and the registration token of runners. Default: true. */
      withProjects: v.optional(v.boolean(), true),
    },
    run: (ctx, options, subject) => readGroupDetails(ctx, subject, options),
  }),
}
