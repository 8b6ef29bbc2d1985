import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id, Sort } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { contentColumns, readFileContent } from '../packages/file-content.ts'
import { discardFiles } from '../packages/mutations.ts'
import { type PackageFile, packageReadScopes } from '../packages/package.ts'
import { fileColumns, getPackage } from '../packages/queries.ts'

const packageInput = {
  /** Id of the package. */
  package: Id,
}

const fileInput = {
  ...packageInput,
  /** Id of the file. */
  packageFile: Id,
}

const orderColumns = {
  id: 'packageFile.id',
  created_at: 'packageFile.createdAt',
  file_name: 'packageFile.fileName',
} as const

/** The files of packages. */
export const packageFiles = {
  /** Lists files of a package, by default oldest first. */
  list: query({
    on: project,
    can: 'package.read',
    scopes: packageReadScopes,
    input: {
      ...packageInput,
      ...pagingEntries,
      /** The field by which the list is sorted; equal values by id. Default: `id`. */
      orderBy: v.optional(v.picklist(['id', 'created_at', 'file_name']), 'id'),
      /** Direction of the order. Default: `asc`. */
      sort: v.optional(Sort, 'asc'),
    },
    async run(ctx, { orderBy, sort, ...input }, { project }) {
      const { id } = await getPackage(ctx, project.id, input.package)
      const files = ctx.db
        .selectFrom('packageFile')
        .where('packageId', '=', id)
        .orderBy(orderColumns[orderBy], sort)
        .orderBy('packageFile.id', sort)
      return paginate(files.select(fileColumns), input, (row): PackageFile => row)
    },
  }),

  /** Gets the content of a file of a package. */
  download: query({
    on: project,
    can: 'package.read',
    scopes: packageReadScopes,
    input: fileInput,
    async run(ctx, input, { project }) {
      const { id } = await getPackage(ctx, project.id, input.package)
      const row = await ctx.db
        .selectFrom('packageFile')
        .where('packageId', '=', id)
        .where('packageFile.id', '=', input.packageFile)
        .select(contentColumns)
        .executeTakeFirst()
      if (row === undefined) throw notFound('Package file')
      return readFileContent(ctx, row)
    },
  }),

  /** Removes a file of a package. The package remains, also without files. */
  remove: command({
    on: project,
    can: 'package.remove',
    scopes: ['job_token'],
    serializes: 'project',
    input: fileInput,
    async run(ctx, input, { project }) {
      const owner = await getPackage(ctx, project.id, input.package)
      const row = await ctx.db
        .selectFrom('packageFile')
        .where('packageId', '=', owner.id)
        .where('packageFile.id', '=', input.packageFile)
        .select([...fileColumns, 'packageFile.storageKey'])
        .executeTakeFirst()
      if (row === undefined) throw notFound('Package file')
      const { storageKey, ...file } = row
      await assertRowUnmodified(ctx, 'packageFile', file.id)
      await ctx.db.deleteFrom('packageFile').where('id', '=', file.id).execute()
      await discardFiles(ctx, project.id, [{ size: file.size, storageKey }])
      await ctx.emit('package.fileRemoved', { package: owner, file })
    },
  }),
}
