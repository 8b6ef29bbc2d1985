import * as v from 'valibot'
import { containsText } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Sort } from '../../../kernel/inputs.ts'
import { pagingEntries } from '../../../kernel/paging.ts'
import { type Package, type PackageVersion, packageStatuses, packageTypes } from './package.ts'

const orderColumns = {
  created_at: 'package.createdAt',
  name: 'package.name',
  version: 'package.version',
  type: 'package.packageType',
  project_path: 'project.fullPath',
} as const

/** What lists of packages are sorted by; `project_path` is for groups. */
export const packageOrders = ['created_at', 'name', 'version', 'type', 'project_path'] as const

type PackageOrder = (typeof packageOrders)[number]

/** Filters of lists of packages. */
export const packageFilters = {
  ...pagingEntries,
  /** `asc` sorts ascending, `desc` descending. */
  sort: v.optional(Sort, 'asc'),
  /** Only packages of this kind. */
  packageType: v.optional(v.picklist(packageTypes)),
  /** Only packages with this text in their name. */
  packageName: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** Only packages with exactly this version. */
  packageVersion: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** Whether to include packages without a version. Every stored package has one. */
  includeVersionless: v.optional(v.boolean(), false),
  /** Only packages in this state. */
  status: v.optional(v.picklist(packageStatuses), 'default'),
}

const FiltersSchema = v.object(packageFilters)
type Filters = v.InferOutput<typeof FiltersSchema> & { readonly orderBy: PackageOrder }

/** All packages with the paths of their projects. */
export const selectPackages = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('package')
    .innerJoin('project', 'project.id', 'package.projectId')
    .select([
      'package.id',
      'package.name',
      'package.version',
      'package.packageType',
      'package.status',
      'package.projectId',
      'package.createdAt',
      'project.fullPath as projectPath',
    ])

type PackageRows = ReturnType<typeof selectPackages>

/** The packages that match the filters, in the requested order. */
export const filterPackages = ({ dialect }: Context, rows: PackageRows, filters: Filters): PackageRows => {
  const { orderBy, sort, packageType, packageName, packageVersion, status } = filters
  let filtered = rows.where('package.status', '=', status)
  if (packageType !== undefined) filtered = filtered.where('package.packageType', '=', packageType)
  if (packageName !== undefined) filtered = filtered.where(containsText(dialect, 'package.name', packageName))
  if (packageVersion !== undefined) filtered = filtered.where('package.version', '=', packageVersion)
  return filtered.orderBy(orderColumns[orderBy], sort).orderBy('package.id', sort)
}

/** @throws PlatformError `not_found` if the project has no such package */
export const getPackage = async (ctx: Context, projectId: number, id: number): Promise<Package> => {
  const found = await selectPackages(ctx)
    .where('package.projectId', '=', projectId)
    .where('package.id', '=', id)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Package')
  return found
}

const maximumVersions = 100

/** The newest other versions of a package that are not hidden. */
export const findOtherVersions = async (
  { db }: Context,
  { id, projectId, packageType, name }: Package,
): Promise<PackageVersion[]> =>
  db
    .selectFrom('package')
    .where('projectId', '=', projectId)
    .where('packageType', '=', packageType)
    .where('name', '=', name)
    .where('status', '=', 'default')
    .where('id', '!=', id)
    .orderBy('id', 'desc')
    .limit(maximumVersions)
    .select(['id', 'version', 'createdAt'])
    .execute()

/** The columns of `PackageFile`. */
export const fileColumns = [
  'packageFile.id',
  'packageFile.packageId',
  'packageFile.fileName',
  'packageFile.size',
  'packageFile.sha256',
  'packageFile.sha1',
  'packageFile.md5',
  'packageFile.createdAt',
] as const
