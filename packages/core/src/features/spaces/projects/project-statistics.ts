import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import type { ProjectStatistics } from './project-record.ts'

/** The row of a project that nothing has been measured of. */
export const noSizes = {
  repositorySize: 0,
  wikiSize: 0,
  lfsObjectsSize: 0,
  jobArtifactsSize: 0,
  packagesSize: 0,
  snippetsSize: 0,
  containerRegistrySize: 0,
  commitCount: 0,
} as const

/** Statistics of projects, in two statements. */
export const readProjectStatistics = async (
  { db }: Context,
  ids: readonly number[],
): Promise<(id: number) => ProjectStatistics> => {
  const [measured, uploads] = await awaitAll([
    db.selectFrom('projectSize').where('projectId', 'in', ids).selectAll().execute(),
    db
      .selectFrom('upload')
      .where('projectId', 'in', ids)
      .groupBy('projectId')
      .select(({ fn }) => ['projectId', fn.sum<number>('size').as('size')])
      .execute(),
  ])
  const rows = new Map(measured.map(({ projectId, ...row }) => [projectId, row]))
  const uploadSizes = new Map(uploads.map(({ projectId, size }) => [projectId, Number(size)]))
  return (id) => {
    const { commitCount, containerRegistrySize, ...sizes } = rows.get(id) ?? noSizes
    const stored = { ...sizes, uploadsSize: uploadSizes.get(id) ?? 0 }
    const storageSize = Object.values(stored).reduce((sum, size) => sum + size, 0)
    return { commitCount, storageSize, ...stored, containerRegistrySize }
  }
}
