import { groupIdsWithAccess } from '../../../access/access-conditions.ts'
import { Access } from '../../../access/levels.ts'
import type { Namespace } from '../../../contract/namespace.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import type { NamespaceRecord } from './namespace-record.ts'

type Counts = Pick<
  NamespaceRecord,
  'membersCountWithDescendants' | 'billableMembersCount' | 'projectsCount' | 'rootRepositorySize' | 'plan'
>

/** The namespaces that the current user owns; all for administrators. */
const findOwnedIds = async (ctx: Context, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  if (isAdministrator(ctx.actor)) return new Set(ids)
  const rows = await ctx.db
    .selectFrom('namespace')
    .where('namespace.id', 'in', ids)
    .where((eb) =>
      eb.or([
        eb('namespace.ownerId', '=', getUserId(ctx.actor)),
        eb('namespace.id', 'in', groupIdsWithAccess(ctx, Access.owner)),
      ]),
    )
    .select('namespace.id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Numbers of direct members of groups and of everything below them, each user once. */
const countMembers = async ({ db }: Context, ids: readonly number[]) => {
  const below = db.selectFrom('namespaceLineage as down').where('down.ancestorId', 'in', ids)
  const ofGroups = below
    .innerJoin('member', 'member.groupId', 'down.namespaceId')
    .select(['down.ancestorId as id', 'member.userId'])
  const ofProjects = below
    .innerJoin('project', 'project.namespaceId', 'down.namespaceId')
    .innerJoin('member', 'member.projectId', 'project.id')
    .select(['down.ancestorId as id', 'member.userId'])
  const rows = await db
    .selectFrom(ofGroups.union(ofProjects).as('joined'))
    .innerJoin('user', 'user.id', 'joined.userId')
    .groupBy('joined.id')
    .select(({ fn, eb }) => [
      'joined.id',
      fn.countAll<number>().as('members'),
      fn
        .countAll<number>()
        .filterWhere(eb.and([eb('user.state', '=', 'active'), eb('user.bot', '=', false)]))
        .as('billable'),
    ])
    .execute()
  return new Map(
    rows.map(({ id, members, billable }) => [id, { members: Number(members), billable: Number(billable) }]),
  )
}

/** Numbers of projects with everything below, and the bytes of their repositories. */
const countProjects = async ({ db }: Context, ids: readonly number[]) => {
  const rows = await db
    .selectFrom('namespaceLineage as down')
    .innerJoin('project', 'project.namespaceId', 'down.namespaceId')
    .leftJoin('projectSize', 'projectSize.projectId', 'project.id')
    .where('down.ancestorId', 'in', ids)
    .groupBy('down.ancestorId')
    .select(({ fn }) => [
      'down.ancestorId as id',
      fn.countAll<number>().as('count'),
      fn.sum<number | null>('projectSize.repositorySize').as('size'),
    ])
    .execute()
  return new Map(rows.map(({ id, count, size }) => [id, { count: Number(count), size: Number(size ?? 0) }]))
}

/** Adds counts to the namespaces that the current user owns, in three statements for any number of namespaces. */
export const withCounts = async (
  ctx: Context,
  namespaces: readonly NamespaceRecord[],
): Promise<readonly NamespaceRecord[]> => {
  if (!namespaces.length) return namespaces
  const owned = await findOwnedIds(
    ctx,
    namespaces.map(({ id }) => id),
  )
  if (!owned.size) return namespaces
  const ids = [...owned]
  const [members, projects] = await awaitAll([countMembers(ctx, ids), countProjects(ctx, ids)])
  const countsOf = ({ id, kind, parentId }: Pick<Namespace, 'id' | 'kind' | 'parentId'>): Counts => ({
    plan: 'default',
    ...(kind === 'group' && {
      membersCountWithDescendants: members.get(id)?.members ?? 0,
      billableMembersCount: members.get(id)?.billable ?? 0,
    }),
    ...(parentId === null && {
      projectsCount: projects.get(id)?.count ?? 0,
      rootRepositorySize: projects.get(id)?.size ?? 0,
    }),
  })
  return namespaces.map((namespace) => (owned.has(namespace.id) ? { ...namespace, ...countsOf(namespace) } : namespace))
}
