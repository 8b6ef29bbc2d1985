import * as v from 'valibot'
import { Access } from '../../access/levels.ts'
import { projectsAt } from '../../access/predicates.ts'
import { group, instance } from '../../access/subjects.ts'
import { isAdministrator } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { PlatformError } from '../../kernel/errors.ts'
import { query } from '../../kernel/operation.ts'
import { may } from '../../policy.ts'
import { sharedGroups } from '../projects/records.ts'
import { projectFilters, projectPage, readableRows as readableProjectRows } from '../projects/selection.ts'
import type { GroupDetails } from './group-record.ts'
import { groupRecords } from './records.ts'
import { groupFilters, groupPage, readableRows } from './selection.ts'
import { sharedWith } from './shared-projects.ts'

/** As many projects as come along with one group. */
const newest = {
  page: 1,
  perPage: 100,
  orderBy: 'created_at',
  sort: 'desc',
  simple: false,
  starred: false,
  withIssuesEnabled: false,
  withMergeRequestsEnabled: false,
  withCustomAttributes: false,
} as const

const ownProjects = async (ctx: Context, groupId: number) =>
  (await projectPage(ctx, readableProjectRows(ctx).where('project.namespaceId', '=', groupId), newest)).items

const sharedProjects = async (ctx: Context, groupId: number) =>
  (await projectPage(ctx, sharedWith(ctx, [groupId]), newest)).items

const runnersToken = async (ctx: Context, groupId: number) =>
  (await ctx.db.selectFrom('runnersToken').where('groupId', '=', groupId).select('token').executeTakeFirst())?.token

/** What people read of groups. */
export const groupRecordOperations = {
  /**
   * Groups by name. People get those to which they belong, with all above and below; `allAvailable` adds those that are open
   * to them. Administrators get all, nobody gets public ones.
   */
  list: query({
    on: instance,
    can: 'group.list',
    input: { ...groupFilters, topLevelOnly: v.optional(v.boolean(), false) },
    run: (ctx, { topLevelOnly, ...filters }) =>
      groupPage(
        ctx,
        topLevelOnly ? readableRows(ctx).where('namespace.parentId', 'is', null) : readableRows(ctx),
        filters,
      ),
  }),

  /** Groups directly below a group, chosen as `list` chooses. */
  subgroups: query({
    on: group,
    can: 'group.read',
    input: groupFilters,
    run: (ctx, filters, { group }) =>
      groupPage(ctx, readableRows(ctx).where('namespace.parentId', '=', group.id), filters),
  }),

  /** Projects of a group that the caller can see, with those that are shared with it, newest first. */
  projects: query({
    on: group,
    can: 'group.read',
    input: {
      ...projectFilters,
      owned: v.optional(v.boolean(), false),
      withShared: v.optional(v.boolean(), true),
      includeSubgroups: v.optional(v.boolean(), false),
      /** Only those of which a scanner has left a report. A licensed tier only. */
      withSecurityReports: v.optional(v.boolean(), false),
    },
    run(ctx, { owned, withShared, includeSubgroups, withSecurityReports, ...filters }, { group }) {
      if (withSecurityReports && ctx.tier === 'free') {
        throw new PlatformError('not_licensed', 'This needs a licensed tier')
      }
      const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', group.id).select('namespaceId')
      const places = includeSubgroups ? below : [group.id]
      let rows = readableProjectRows(ctx).where((eb) => {
        const inside = eb('project.namespaceId', 'in', places)
        const shared = sharedWith(ctx, places).select('project.id')
        return withShared ? eb.or([inside, eb('project.id', 'in', shared)]) : inside
      })
      if (owned) rows = rows.where('project.id', 'in', projectsAt(ctx, Access.owner))
      if (withSecurityReports) rows = rows.where('project.hasSecurityReports', '=', true)
      return projectPage(ctx, rows, filters)
    },
  }),

  /** Projects of other groups that are shared with a group and that the caller can see, newest first. */
  sharedProjects: query({
    on: group,
    can: 'group.read',
    input: projectFilters,
    run: (ctx, filters, { group }) => projectPage(ctx, sharedWith(ctx, [group.id]), filters),
  }),

  /** One group with everything that the caller is told of it. Without projects it says nothing of shares and runners, too. */
  details: query({
    on: group,
    can: 'group.read',
    input: {
      /** For administrators; others do not get them. */
      withCustomAttributes: v.optional(v.boolean(), false),
      withProjects: v.optional(v.boolean(), true),
    },
    async run(ctx, { withCustomAttributes, withProjects }, subject): Promise<GroupDetails> {
      const { group } = subject
      const wanted = { withCustomAttributes: withCustomAttributes && isAdministrator(ctx.actor) }
      const [record] = (await groupRecords(ctx, [group], wanted)) as [GroupDetails]
      if (!withProjects) return record
      const token = may(ctx.actor, subject, 'runner.register') ? await runnersToken(ctx, group.id) : undefined
      return {
        ...record,
        sharedWithGroups: (await sharedGroups(ctx, 'groupId', [group.id]))(group.id),
        ...(token !== undefined && { runnersToken: token }),
        projects: await ownProjects(ctx, group.id),
        sharedProjects: await sharedProjects(ctx, group.id),
      }
    },
  }),
}
