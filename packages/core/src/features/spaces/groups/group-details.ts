import { group as groupSubject } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { selectSharedProjects } from '../projects/group-projects.ts'
import { projectPage, selectReadableProjects } from '../projects/project-list.ts'
import { readSharedGroups } from '../projects/record-queries.ts'
import type { GroupDetails } from './group-record.ts'
import { loadGroupRecords } from './group-record-loader.ts'

/** Filters of the projects in the details of a group. */
const newestProjectsFilters = {
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

const listOwnProjects = async (ctx: Context, groupId: number) =>
  (
    await projectPage(
      ctx,
      selectReadableProjects(ctx).where('project.namespaceId', '=', groupId),
      newestProjectsFilters,
    )
  ).items

const listSharedProjects = async (ctx: Context, groupId: number) =>
  (await projectPage(ctx, selectSharedProjects(ctx, [groupId]), newestProjectsFilters)).items

const findRunnersToken = async (ctx: Context, groupId: number) =>
  (await ctx.db.selectFrom('runnersToken').where('groupId', '=', groupId).select('token').executeTakeFirst())?.token

interface DetailOptions {
  readonly withCustomAttributes: boolean
  readonly withProjects: boolean
}

/** A group with its settings and, with `withProjects`, its shares and newest projects. */
export async function readGroupDetails(
  ctx: Context,
  subject: Subjects['group'],
  { withCustomAttributes, withProjects }: DetailOptions,
): Promise<GroupDetails> {
  const { group } = subject
  const options = { withCustomAttributes: withCustomAttributes && isAdministrator(ctx.actor) }
  const [record] = (await loadGroupRecords(ctx, [group], options)) as [GroupDetails]
  if (!withProjects) return record
  const token = hasAbility(ctx.actor, subject, 'runner.manage') ? await findRunnersToken(ctx, group.id) : undefined
  return {
    ...record,
    sharedWithGroups: (await readSharedGroups(ctx, 'groupId', [group.id]))(group.id),
    ...(token !== undefined && { runnersToken: token }),
    projects: await listOwnProjects(ctx, group.id),
    sharedProjects: await listSharedProjects(ctx, group.id),
  }
}

/** The record of a group after a change. */
export const readChangedGroup = async (ctx: Context, id: number): Promise<GroupDetails> =>
  readGroupDetails(ctx, await groupSubject.load(ctx, { group: id }), {
    withCustomAttributes: false,
    withProjects: true,
  })
