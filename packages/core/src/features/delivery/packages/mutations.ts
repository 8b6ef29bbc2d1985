import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { noSizes } from '../../spaces/projects/project-statistics.ts'
import type { Package, PackageStatus } from './package.ts'
import { getPackage, selectPackages } from './queries.ts'

/** The name and the version of a generic package. */
export interface PackageName {
  readonly packageName: string
  readonly packageVersion: string
}

const genericPackage = (ctx: Context, projectId: number, { packageName, packageVersion }: PackageName) =>
  selectPackages(ctx)
    .where('package.projectId', '=', projectId)
    .where('package.packageType', '=', 'generic')
    .where('package.name', '=', packageName)
    .where('package.version', '=', packageVersion)

/** The generic package that a new file belongs to, created if it is the first one. `status` changes an existing package. */
export const findOrCreatePackage = async (
  ctx: Context,
  projectId: number,
  name: PackageName,
  status: PackageStatus | undefined,
): Promise<Package> => {
  const existing = await genericPackage(ctx, projectId, name).executeTakeFirst()
  if (existing) {
    if (status === undefined || status === existing.status) return existing
    await ctx.db.updateTable('package').set({ status }).where('id', '=', existing.id).execute()
    return { ...existing, status }
  }
  const row = {
    projectId,
    packageType: 'generic',
    name: name.packageName,
    version: name.packageVersion,
    status: status ?? 'default',
    createdAt: ctx.now,
  } satisfies CompleteRow<'package'>
  const inserted = await ctx.db.insertInto('package').values(row).returning('id').executeTakeFirstOrThrow()
  return getPackage(ctx, projectId, inserted.id)
}

/** Adds to the size of the packages in the statistics of a project. */
export const changePackagesSize = async ({ db }: Context, projectId: number, bytes: number): Promise<void> => {
  await db
    .insertInto('projectSize')
    .values({ projectId, ...noSizes, packagesSize: Math.max(bytes, 0) } satisfies CompleteRow<'projectSize'>)
    .onConflict((oc) =>
      oc.column('projectId').doUpdateSet((eb) => ({ packagesSize: eb('projectSize.packagesSize', '+', bytes) })),
    )
    .execute()
}

/** The files to remove, with the package or one by one. */
interface StoredFile {
  readonly size: number
  readonly storageKey: string
}

/** Frees the storage of removed files, after the commit, so that a rollback loses nothing. */
export const discardFiles = async (ctx: Context, projectId: number, files: readonly StoredFile[]): Promise<void> => {
  for (const { storageKey } of files) await ctx.enqueue('uploads.removeFile', { storageKey })
  await changePackagesSize(ctx, projectId, -files.reduce((total, { size }) => total + size, 0))
}
