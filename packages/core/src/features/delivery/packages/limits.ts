import type { Context } from '../../../kernel/context.ts'
import { invalid, type PlatformError } from '../../../kernel/errors.ts'
import { getSettings } from '../../administration/settings/queries.ts'

const mebibyte = 1024 ** 2

/** In bytes. */
interface PackageLimits {
  /** Size of one file. */
  readonly file: number
  /** Size of all packages of the project together. */
  readonly quota: number
}

const toBytes = (megabytes: number) => (megabytes === 0 ? Number.MAX_SAFE_INTEGER : megabytes * mebibyte)

const readLimits = async (ctx: Context): Promise<PackageLimits> => {
  const { maxPackageFileSize, maxPackagesSize } = await getSettings(ctx)
  return { file: toBytes(maxPackageFileSize), quota: toBytes(maxPackagesSize) }
}

const readPackagesSize = async ({ db }: Context, projectId: number): Promise<number> => {
  const sizes = db.selectFrom('projectSize').where('projectId', '=', projectId).select('packagesSize')
  return (await sizes.executeTakeFirst())?.packagesSize ?? 0
}

const createQuotaError = ({ quota }: PackageLimits): PlatformError =>
  invalid(`The packages of the project exceed the quota of ${quota / mebibyte} MB`)

/** What a new file can have before its content is read, so that reading ends as soon as a limit is exceeded. */
export interface FileLimit {
  /** Bytes. */
  readonly maximumBytes: number
  /** The error for a larger file. */
  readonly error: PlatformError
}

export const readFileLimit = async (ctx: Context, projectId: number): Promise<FileLimit> => {
  const limits = await readLimits(ctx)
  const remaining = Math.max(limits.quota - (await readPackagesSize(ctx, projectId)), 0)
  return remaining < limits.file
    ? { maximumBytes: remaining, error: createQuotaError(limits) }
    : { maximumBytes: limits.file, error: invalid('File is too large') }
}

/**
 * Checks the quota again when a file is recorded: other files may have been published while its content was received.
 *
 * @throws PlatformError `invalid` if the packages of the project would exceed the quota
 */
export const assertQuota = async (ctx: Context, projectId: number, bytes: number): Promise<void> => {
  const limits = await readLimits(ctx)
  if ((await readPackagesSize(ctx, projectId)) + bytes > limits.quota) throw createQuotaError(limits)
}
