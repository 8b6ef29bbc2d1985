import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict } from '../../../kernel/errors.ts'
import type { Repository } from '../../../ports/git.ts'
import { findStorageKey, isStorageKeyInUse } from './queries.ts'
import { recordPendingChanges } from './reference-changes.ts'
import { type RepositoryWriter, withRepositoryLock } from './repository-lock.ts'
import { refreshSummary } from './repository-summary.ts'

/** Creates the files before their row, and deletes them if the row cannot be written. */
const createThenRecord = async (
  { ports: { git, repositories }, write }: RepositoryWriter,
  create: (directory: string, storageKey: string) => Promise<Repository>,
  record: (ctx: Context, storageKey: string) => Promise<void>,
): Promise<Repository> => {
  const storageKey = repositories.createStorageKey()
  const repository = await create(repositories.directoryOf(storageKey), storageKey)
  try {
    await write((ctx) => record(ctx, storageKey))
    return repository
  } catch (error) {
    await git.remove(repository.directory).catch(() => undefined)
    throw error
  }
}

const assertNoRepository = async (ctx: Context, projectId: number) => {
  if ((await findStorageKey(ctx, projectId)) !== undefined) throw conflict('The project has a repository already')
}

/**
 * Records the storage key of a project's repository.
 *
 * @throws PlatformError `conflict` when the project has a repository or another project uses this one
 */
export async function attachRepository(ctx: Context, projectId: number, storageKey: string): Promise<void> {
  await assertNoRepository(ctx, projectId)
  if (await isStorageKeyInUse(ctx, storageKey)) throw conflict('The repository belongs to another project')
  await ctx.db
    .insertInto('projectRepository')
    .values({ projectId, place: storageKey, createdAt: ctx.now } satisfies CompleteRow<'projectRepository'>)
    .execute()
}

const createRepository = (
  writer: RepositoryWriter,
  projectId: number,
  create: (directory: string) => Promise<Repository>,
): Promise<Repository> =>
  createThenRecord(writer, create, (ctx, storageKey) => attachRepository(ctx, projectId, storageKey))

/** Milliseconds after which files without a row are left over; hosts can raise the limit of git, which is two minutes. */
const maxCopyTime = 12 * 60 * 60 * 1000

/**
 * Creates the repository of a project with `copyTo`, which receives the directory. If the process is killed before the repository
 * belongs to the project, a job deletes the files.
 */
export const createRepositoryCopy = (
  writer: RepositoryWriter,
  projectId: number,
  copyTo: (directory: string) => Promise<Repository>,
): Promise<Repository> => {
  const copy = async (directory: string, storageKey: string) => {
    await writer.write((ctx) => {
      const runAfter = new Date(Date.parse(ctx.now) + maxCopyTime).toISOString()
      return ctx.enqueue('repository.remove', { storageKey }, { runAfter })
    })
    return copyTo(directory)
  }
  return createThenRecord(writer, copy, (ctx, storageKey) => attachRepository(ctx, projectId, storageKey))
}

/** Opens a project's repository, if any, for changes. The caller holds its lock. A repository shared with other databases is copied first. */
export async function openForWriting(writer: RepositoryWriter, projectId: number): Promise<Repository | undefined> {
  const { ports, write } = writer
  const { git, repositories } = ports
  const storageKey = await write((ctx) => findStorageKey(ctx, projectId))
  if (storageKey === undefined) return undefined
  const directory = repositories.directoryOf(storageKey)
  if (repositories.canModifyInPlace(storageKey)) return git.open(directory)
  return createThenRecord(
    writer,
    (copy) => git.clone(directory, copy, { allReferences: true }),
    async (ctx, place) => {
      await ctx.db.updateTable('projectRepository').set({ place }).where('projectId', '=', projectId).execute()
    },
  )
}

/** Repairs a repository after the process that changed it has ended. */
const recover = async (writer: RepositoryWriter, projectId: number) => {
  const repository = await openForWriting(writer, projectId)
  if (repository === undefined) return
  await repository.recover()
  await refreshSummary(writer.write, repository, projectId)
}

/**
 * Runs `work` while no other call of any process changes the repository, and after changes of processes that have ended are
 * recorded. See `withRepositoryLock`.
 */
export const changeRepository = <T>(
  writer: RepositoryWriter,
  projectId: number,
  work: (writer: RepositoryWriter) => Promise<T>,
): Promise<T> =>
  withRepositoryLock(writer, projectId, {
    recover: (fenced) => recover(fenced, projectId),
    work: async (fenced) => {
      await recordPendingChanges(fenced, projectId, () => openForWriting(fenced, projectId))
      return work(fenced)
    },
  })

/** Opens the repository of a project for changes; creates an empty one if there is none. */
export const openOrCreateForWriting = async (
  writer: RepositoryWriter,
  { id, defaultBranch }: { readonly id: number; readonly defaultBranch: string },
): Promise<Repository> =>
  (await openForWriting(writer, id)) ??
  createRepository(writer, id, (directory) => writer.ports.git.create(directory, { defaultBranch }))
