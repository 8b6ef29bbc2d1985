import * as v from 'valibot'
import { withGrants } from '../../../access/grants.ts'
import { readablePackages } from '../../../access/predicates.ts'
import { container, project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { ByteStream, Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { getPageWindow, type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { packagePrefix, reserveFile } from '../../collaboration/uploads/upload-file.ts'
import { contentColumns, readFileContent } from './file-content.ts'
import { readFileLimit } from './limits.ts'
import { discardFiles } from './mutations.ts'
import {
  type Package,
  type PackageDetails,
  type PackagePipeline,
  type PublishedPackageFile,
  packageReadScopes,
} from './package.ts'
import { publishFile } from './publish.ts'
import {
  filterPackages,
  findOtherVersions,
  getPackage,
  packageFilters,
  packageOrders,
  selectPackages,
} from './queries.ts'

const packageInput = {
  /** Id of the package. */
  package: Id,
}

const genericFileInput = {
  /** Name of the package: letters, digits and `.-_+~@/`, at most 255 characters. */
  packageName: v.pipe(v.string(), v.maxLength(255), v.regex(/^[\w.+~@/-]+$/, 'is invalid')),
  /** Version of the package: letters, digits and `.-_+`, without consecutive dots, at most 255 characters. */
  packageVersion: v.pipe(
    v.string(),
    v.maxLength(255),
    v.regex(/^[\w.+-]+$/, 'is invalid'),
    v.check((text) => !text.includes('..') && text !== '.', 'is invalid'),
  ),
  /** Name of the file: letters, digits and `.-_+~@/`, at most 255 characters. */
  fileName: v.pipe(v.string(), v.maxLength(255), v.regex(/^[\w.+~@/-]+$/, 'is invalid')),
}

const packageOwner: typeof container = {
  ...container,
  kindOf: ({ project }) => (project === undefined ? 'group' : 'project'),
}

/** The packages of a project or a group that the current user can read. */
const selectPackagesOf = async (ctx: Context, subject: Subjects['project' | 'group'], excludeSubgroups: boolean) => {
  if (subject.kind === 'project') return selectPackages(ctx).where('package.projectId', '=', subject.project.id)
  const { id } = subject.group
  const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', id).select('namespaceId')
  const rows = selectPackages(ctx).where(readablePackages(await withGrants(ctx)))
  return rows.where('project.namespaceId', 'in', excludeSubgroups ? [id] : below)
}

/** A published file. */
export type PublishResult = PublishedPackageFile & {
  /** Whether the current user requested the details of the file. */
  readonly isSelected: boolean
}

/** The package registry of a project: generic packages, which consist of any files. */
export const packages = {
  /** Lists packages of a project, or of those projects of a group whose packages the current user can read. */
  list: query({
    on: packageOwner,
    can: 'package.read',
    scopesByKind: { project: packageReadScopes },
    input: {
      ...packageFilters,
      /** The field by which the list is sorted; equal values by id. */
      orderBy: v.optional(v.picklist(packageOrders), 'created_at'),
      /** Whether to omit packages of the subgroups of the group. */
      excludeSubgroups: v.optional(v.boolean(), false),
    },
    async run(ctx, { excludeSubgroups, ...filters }, subject) {
      const rows = await selectPackagesOf(ctx, subject, excludeSubgroups)
      return paginate(filterPackages(ctx, rows, filters), filters, (row): Package => row)
    },
  }),

  /** Gets a package that is not hidden, with its other versions. */
  get: query({
    on: project,
    can: 'package.read',
    scopes: packageReadScopes,
    input: packageInput,
    async run(ctx, input, { project }): Promise<PackageDetails> {
      const found = await getPackage(ctx, project.id, input.package)
      if (found.status !== 'default') throw notFound('Package')
      return { ...found, versions: await findOtherVersions(ctx, found) }
    },
  }),

  /** Lists the pipelines that published a package. None, because the platform does not record them. */
  listPipelines: query({
    on: project,
    can: 'package.read',
    scopes: packageReadScopes,
    input: { ...packageInput, ...pagingEntries },
    async run(ctx, input, { project }): Promise<Page<PackagePipeline>> {
      await getPackage(ctx, project.id, input.package)
      const { page, perPage } = getPageWindow(input)
      return { items: [], page, perPage, total: 0, hasNext: false }
    },
  }),

  /**
   * Adds a file to a generic package, and creates the package with its first file. A file of the same name is kept; downloads
   * return the newest one.
   *
   * @throws PlatformError `invalid` when the file or all packages of the project together exceed their limits
   */
  publishGeneric: command({
    on: project,
    can: 'package.publish',
    scopes: ['write_package_registry', 'job_token'],
    serializes: 'project',
    input: {
      ...genericFileInput,
      /** The content of the file: its bytes, or a stream of chunks. */
      content: v.union([v.instance(Uint8Array), ByteStream]),
      /** State of the package; `hidden` omits it from lists. Default: unchanged, `default` for a new package. */
      status: v.optional(v.picklist(['default', 'hidden'])),
      /** `package_file` adds the details of the file to responses over HTTP. The library always returns them. */
      select: v.optional(v.picklist(['package_file'])),
    },
    async run(ctx, { select, ...file }, { project }) {
      const limit = await readFileLimit(ctx, project.id)
      const storageKey = await reserveFile(ctx, packagePrefix(project.id))
      const { ports } = ctx
      const signal = ctx.call.signal?.()
      return afterTransaction(async (runner): Promise<PublishResult> => {
        const published = await publishFile({ ports }, runner, { ...file, project, storageKey, limit, signal })
        return { ...published, isSelected: select !== undefined }
      })
    },
  }),

  /** Gets the newest file of this name in a generic package. Hidden packages can be downloaded, too. */
  downloadGeneric: query({
    on: project,
    can: 'package.read',
    scopes: packageReadScopes,
    input: genericFileInput,
    async run(ctx, { packageName, packageVersion, fileName }, { project }) {
      const file = await ctx.db
        .selectFrom('package')
        .innerJoin('packageFile', 'packageFile.packageId', 'package.id')
        .where('package.projectId', '=', project.id)
        .where('package.packageType', '=', 'generic')
        .where('package.name', '=', packageName)
        .where('package.version', '=', packageVersion)
        .where('packageFile.fileName', '=', fileName)
        .orderBy('packageFile.id', 'desc')
        .select(contentColumns)
        .limit(1)
        .executeTakeFirst()
      if (file === undefined) throw notFound('')
      return readFileContent(ctx, file)
    },
  }),

  /** Removes a package with all its files. */
  remove: command({
    on: project,
    can: 'package.remove',
    scopes: ['job_token'],
    serializes: 'project',
    input: packageInput,
    async run(ctx, input, { project }) {
      const found = await getPackage(ctx, project.id, input.package)
      const files = await ctx.db
        .selectFrom('packageFile')
        .where('packageId', '=', found.id)
        .select(['size', 'storageKey'])
        .execute()
      await ctx.db.deleteFrom('package').where('id', '=', found.id).execute()
      await discardFiles(ctx, project.id, files)
      await ctx.emit('package.removed', { package: found })
    },
  }),
}
