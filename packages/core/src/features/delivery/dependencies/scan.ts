import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Abortable, Repository, SizedFile } from '../../../ports/git.ts'
import type { PackageManager } from './dependency.ts'
import { packageManagerOf } from './lock-files/formats.ts'
import { type LockedPackage, maxPackages } from './lock-files/locked-package.ts'
import { readLockFile } from './lock-files/reader.ts'
import { replaceDependencies } from './store.ts'

/** Lock files of one project; those in the fewest folders are read. */
const maxFiles = 100
const maxFileBytes = 5 * 1024 ** 2
/** Bytes of all lock files of a project. */
const maxTotalBytes = 20 * 1024 ** 2
/** Characters of a path that the table of dependencies stores. */
const maxPathLength = 1_024

interface ScannedFile {
  readonly path: string
  readonly packageManager: PackageManager
  readonly packages: readonly LockedPackage[]
  readonly problem: string | null
}

const depthOf = (path: string) => path.split('/').length

/** The lock files of a commit, those near the root first. */
const findLockFiles = (files: readonly SizedFile[]) =>
  files
    .flatMap((file) => {
      const packageManager = packageManagerOf(file.path)
      return packageManager && file.path.length <= maxPathLength ? [{ ...file, packageManager }] : []
    })
    .sort((one, other) => depthOf(one.path) - depthOf(other.path) || (one.path < other.path ? -1 : 1))
    .slice(0, maxFiles)

const readText = async (repository: Repository, { id }: SizedFile, { signal }: Abortable): Promise<string> => {
  signal?.throwIfAborted()
  const blob = await repository.blob(id, { maximumBytes: maxFileBytes })
  return Buffer.from(blob?.content ?? [])
    .toString('utf8')
    .replace(/^\uFEFF/, '')
}

/** Reads the lock files of a commit, within limits. A file that cannot be read has a problem. */
export async function scanLockFiles(
  repository: Repository,
  commit: string,
  abortable: Abortable,
): Promise<readonly ScannedFile[]> {
  const scanned: ScannedFile[] = []
  let bytes = 0
  let count = 0
  for (const file of findLockFiles(await repository.files(commit, abortable))) {
    const { path, packageManager, size } = file
    const fail = (problem: string) => void scanned.push({ path, packageManager, packages: [], problem })
    bytes += Math.min(size, maxFileBytes)
    if (size > maxFileBytes) fail(`has more than ${maxFileBytes} bytes`)
    else if (bytes > maxTotalBytes) fail(`exceeds the limit of ${maxTotalBytes} bytes for all lock files`)
    else {
      const result = await readLockFile({ path, text: await readText(repository, file, abortable) })
      if ('problem' in result) fail(result.problem)
      else if (count + result.packages.length > maxPackages) fail(`exceeds the limit of ${maxPackages} dependencies`)
      else {
        count += result.packages.length
        scanned.push({ path, packageManager, packages: result.packages, problem: null })
      }
    }
  }
  return scanned
}

/** Stores the result. Dependencies of damaged files stay; those of removed files are removed, if they came from a scan. */
export async function storeScan(ctx: Context, projectId: number, files: readonly ScannedFile[]): Promise<void> {
  const earlier = await ctx.db.selectFrom('dependencyFile').where('projectId', '=', projectId).select('path').execute()
  const replaced = new Set([...earlier, ...files].map(({ path }) => path))
  for (const { path, problem } of files) if (problem !== null) replaced.delete(path)
  const dependencies = files.flatMap(({ path, packageManager, packages }) =>
    packages.map((found) => ({
      ...found,
      packageManager,
      dependencyFilePath: path,
      licenses: found.licenses.length ? found.licenses : undefined,
    })),
  )
  await replaceDependencies(ctx, projectId, dependencies, (path) => replaced.has(path))
  await ctx.db.deleteFrom('dependencyFile').where('projectId', '=', projectId).execute()
  const rows = files.map(
    ({ path, packageManager, problem }) =>
      ({ projectId, path, packageManager, problem, scannedAt: ctx.now }) satisfies CompleteRow<'dependencyFile'>,
  )
  if (rows.length) await ctx.db.insertInto('dependencyFile').values(rows).execute()
}
