import type { Context } from '../../kernel/context.ts'
import type { Group } from '../groups/group.ts'
import { groupSettings } from '../groups/settings.ts'
import { keptWords } from '../projects/records.ts'
import { settingsInForce } from '../settings/queries.ts'
import type { GroupRecord, GroupStatistics } from './group-record.ts'

type Ids = readonly number[]

const settings = async (ctx: Context, ids: Ids) => {
  const rows = await ctx.db.selectFrom('namespace').where('id', 'in', ids).select(['id', 'settings']).execute()
  return new Map(rows.map((row) => [row.id, row.settings]))
}

/** Sums over the projects of each group and of all groups below it. */
const statistics = async (ctx: Context, ids: Ids): Promise<(id: number) => GroupStatistics> => {
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
  const nothing = { repositorySize: 0, wikiSize: 0, lfsObjectsSize: 0, jobArtifactsSize: 0, packagesSize: 0 }
  return (id) => {
    const sizes = sums.get(id) ?? nothing
    return { storageSize: Object.values(sizes).reduce((sum, size) => sum + size, 0), ...sizes }
  }
}

interface Wanted {
  readonly statistics?: boolean | undefined
  readonly withCustomAttributes?: boolean | undefined
}

/** Groups with everything that the reader is told of them, in a few queries however many there are. */
export async function groupRecords(ctx: Context, groups: readonly Group[], wanted: Wanted): Promise<GroupRecord[]> {
  if (!groups.length) return []
  const ids = groups.map(({ id }) => id)
  const settingsOf = await settings(ctx, ids)
  const { defaultBranchProtection } = await settingsInForce(ctx)
  const sizesOf = wanted.statistics ? await statistics(ctx, ids) : undefined
  const wordsOf = wanted.withCustomAttributes ? await keptWords(ctx, 'groupId', ids) : undefined
  return groups.map((group) => ({
    ...group,
    ...groupSettings(settingsOf.get(group.id) ?? null, { defaultBranchProtection }),
    ...(sizesOf && { statistics: sizesOf(group.id) }),
    ...(wordsOf && { customAttributes: wordsOf(group.id) }),
  }))
}
