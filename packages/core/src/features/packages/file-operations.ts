import { project } from '../../access/subjects.ts'
import { assertRowUnmodified } from '../../db/assert-row-unmodified.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { discardFiles } from './mutations.ts'
import { type PackageFile, packageReadScopes } from './package.ts'
import { fileColumns, getPackage } from './queries.ts'

const packageInput = {
  /** Id of the package. */
  package: Id,
}

/** The files of packages. */
export const packageFiles = {
  /** Lists files of a package, oldest first. */
  list: query({
    on: project,
    can: 'package.read',
    scopes: packageReadScopes,
    input: { ...packageInput, ...pagingEntries },
    async run(ctx, input, { project }) {
      const { id } = await getPackage(ctx, project.id, input.package)
      const files = ctx.db.selectFrom('packageFile').where('packageId', '=', id)
      return paginate(files.orderBy('packageFile.id').select(fileColumns), input, (row): PackageFile => row)
    },
  }),

  /** Removes a file of a package. The package remains, also without files. */
  remove: command({
    on: project,
    can: 'package.remove',
    scopes: ['job_token'],
    serializes: 'project',
    input: {
      ...packageInput,
      /** Id of the file. */
      packageFile: Id,
    },
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
