import { readCustomAttributes } from '../../../access/custom-attributes.ts'
import type { Group } from '../../../contract/namespace.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { resolveGroupSettings } from '../../accounts/namespaces/settings.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import type { GroupRecord, RootStorageStatistics } from './group-record.ts'

type Ids = readonly number[]

const loadSettings = async (ctx: Context, ids: Ids) => {
  const rows = await ctx.db.selectFrom('namespace').where('id', 'in', ids).select(['id', 'settings']).execute()
  return new Map(rows.map((row) => [row.id, row.settings]))
}

const noSizes = {
  repositorySize: 0,
  wikiSize: 0,
  lfsObjectsSize: 0,
  jobArtifactsSize: 0,
  packagesSize: 0,
  snippetsSize: 0,
  containerRegistrySize: 0,
}

/** Sums the sizes of each group with its subgroups and their projects, in three statements. */
const loadStatistics = async (ctx: Context, ids: Ids): Promise<(id: number) => RootStorageStatistics> => {
  const projects = ctx.db
    .selectFrom('namespaceLineage as down')
    .innerJoin('project', 'project.namespaceId', 'down.namespaceId')
    .where('down.ancestorId', 'in', ids)
    .groupBy('down.ancestorId')
    .select('down.ancestorId as id')
  const [measured, uploads, groupUploads] = await awaitAll([
    projects
      .innerJoin('projectSize', 'projectSize.projectId', 'project.id')
      .select(({ fn }) => [
        fn.sum<number>('projectSize.repositorySize').as('repositorySize'),
        fn.sum<number>('projectSize.wikiSize').as('wikiSize'),
        fn.sum<number>('projectSize.lfsObjectsSize').as('lfsObjectsSize'),
        fn.sum<number>('projectSize.jobArtifactsSize').as('jobArtifactsSize'),
        fn.sum<number>('projectSize.packagesSize').as('packagesSize'),
        fn.sum<number>('projectSize.snippetsSize').as('snippetsSize'),
        fn.sum<number>('projectSize.containerRegistrySize').as('containerRegistrySize'),
      ])
      .execute(),
    projects
      .innerJoin('upload', 'upload.projectId', 'project.id')
      .select(({ fn }) => fn.sum<number>('upload.size').as('size'))
      .execute(),
    ctx.db
      .selectFrom('namespaceLineage as down')
      .innerJoin('upload', 'upload.groupId', 'down.namespaceId')
      .where('down.ancestorId', 'in', ids)
      .groupBy('down.ancestorId')
      .select('down.ancestorId as id')
      .select(({ fn }) => fn.sum<number>('upload.size').as('size'))
      .execute(),
  ])
  const sums = new Map(measured.map(({ id, ...sizes }) => [id, sizes]))
  const uploadSizes = new Map<number, number>()
  for (const { id, size } of [...uploads, ...groupUploads])
    uploadSizes.set(id, (uploadSizes.get(id) ?? 0) + Number(size))
  return (id) => {
    const { containerRegistrySize, ...sizes } = sums.get(id) ?? noSizes
    const stored = { ...sizes, uploadsSize: uploadSizes.get(id) ?? 0 }
    return { storageSize: Object.values(stored).reduce((sum, size) => sum + size, 0), ...stored, containerRegistrySize }
  }
}

const toStatistics = (
  { parentId }: Group,
  { containerRegistrySize, ...statistics }: RootStorageStatistics,
): Pick<GroupRecord, 'statistics' | 'rootStorageStatistics'> => ({
  statistics,
  ...(parentId === null && { rootStorageStatistics: { ...statistics, containerRegistrySize } }),
})

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
  const isAdmin = isAdministrator(ctx.actor)
  return groups.map((group) => ({
    ...group,
    ...resolveGroupSettings(settings.get(group.id) ?? null, { defaultBranchProtection }),
    ...(isAdmin && { repositoryStorage: settings.get(group.id)?.repositoryStorage ?? 'default' }),
    ...(getStatistics && toStatistics(group, getStatistics(group.id))),
    ...(getAttributes && { customAttributes: getAttributes(group.id) }),
  }))
}
