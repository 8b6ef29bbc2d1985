import { readCustomAttributes } from '../../../access/custom-attributes.ts'
import type { Group } from '../../../contract/namespace.ts'
import type { Context } from '../../../kernel/context.ts'
import { resolveGroupSettings } from '../../accounts/namespaces/settings.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import type { GroupRecord, GroupStatistics } from './group-record.ts'

type Ids = readonly number[]

const loadSettings = async (ctx: Context, ids: Ids) => {
  const rows = await ctx.db.selectFrom('namespace').where('id', 'in', ids).select(['id', 'settings']).execute()
  return new Map(rows.map((row) => [row.id, row.settings]))
}

/** Sums the project sizes of each group and its subgroups. */
const loadStatistics = async (ctx: Context, ids: Ids): Promise<(id: number) => GroupStatistics> => {
  const rows = await ctx.db
    .selectFrom('namespaceLineage as down')
    .innerJoin('project', 'project.namespaceId', 'down.namespaceId')
    .innerJoin('projectSize', 'projectSize.projectId', 'project.id')
    .where('down.ancestorId', 'in', ids)
    .groupBy('down.ancestorId')
    .select(({ fn }) => [
      'down.ancestorId as id',
      fn.sum<number>('projectSize.repositorySize').as('repositorySize'),
      fn.sum<number>('projectSize.wikiSize').as('wikiSize'),
      fn.sum<number>('projectSize.lfsObjectsSize').as('lfsObjectsSize'),
      fn.sum<number>('projectSize.jobArtifactsSize').as('jobArtifactsSize'),
      fn.sum<number>('projectSize.packagesSize').as('packagesSize'),
    ])
    .execute()
  const sums = new Map(rows.map(({ id, ...sizes }) => [id, sizes]))
  const zeroSizes = { repositorySize: 0, wikiSize: 0, lfsObjectsSize: 0, jobArtifactsSize: 0, packagesSize: 0 }
  return (id) => {
    const sizes = sums.get(id) ?? zeroSizes
    return { storageSize: Object.values(sizes).reduce((sum, size) => sum + size, 0), ...sizes }
  }
}

interface GroupRecordOptions {
  readonly statistics?: boolean | undefined
  readonly withCustomAttributes?: boolean | undefined
}

/** Adds settings and optional data to groups. The number of queries does not depend on the number of groups. */
export async function loadGroupRecords(
  ctx: Context,
  groups: readonly Group[],
  options: GroupRecordOptions,
): Promise<GroupRecord[]> {
  if (!groups.length) return []
  const ids = groups.map(({ id }) => id)
  const settings = await loadSettings(ctx, ids)
  const { defaultBranchProtection } = await getSettings(ctx)
  const getStatistics = options.statistics ? await loadStatistics(ctx, ids) : undefined
  const getAttributes = options.withCustomAttributes ? await readCustomAttributes(ctx, 'groupId', ids) : undefined
  return groups.map((group) => ({
    ...group,
    ...resolveGroupSettings(settings.get(group.id) ?? null, { defaultBranchProtection }),
    ...(getStatistics && { statistics: getStatistics(group.id) }),
    ...(getAttributes && { customAttributes: getAttributes(group.id) }),
  }))
}
