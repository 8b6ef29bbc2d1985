import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Handle, Store } from './store.ts'

/** How much is stored, and how much room is left, in bytes. */
export interface StorageState {
  /** The data file, or the PostgreSQL database; null in memory. */
  readonly databaseBytes: number | null
  /** The write-ahead log beside the data file; null for other databases. */
  readonly databaseLogBytes: number | null
  /** Free on the disk of the data file; null for other databases, and where it is unknown. */
  readonly databaseFreeBytes: number | null
  /** Free on the disk of the repositories; null without repositories, and where it is unknown. */
  readonly repositoriesFreeBytes: number | null
  /** The repositories of all projects, as last measured. */
  readonly repositoriesBytes: number
  /** The files of all uploads. */
  readonly uploadsBytes: number
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Bytes that processes without privileges can still write; null where the system does not say it. */
const readFreeBytes = async (path: string): Promise<number | null> => {
  let place = path
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place)
  const { bavail, bsize } = await statfs(place).catch(() => ({ bavail: null, bsize: 0 }))
  return bavail === null ? null : bavail * bsize
}

const sumSizes = async ({ db }: Handle) => {
  const { repositories } = await db
    .selectFrom('projectSize')
    .select(({ fn }) => [fn.sum<number | null>('repositorySize').as('repositories')])
    .executeTakeFirstOrThrow()
  const { uploads } = await db
    .selectFrom('upload')
    .select(({ fn }) => [fn.sum<number | null>('size').as('uploads')])
    .executeTakeFirstOrThrow()
  return { repositoriesBytes: Number(repositories ?? 0), uploadsBytes: Number(uploads ?? 0) }
}

const readDatabaseBytes = async (store: Store): Promise<number | null> => {
  if (store.filePath !== undefined) return sizeOf(store.filePath)
  if (store.dialect === 'sqlite') return null
  return store.read(async ({ run }) => {
    const [row] = await run('select pg_database_size(current_database()) as bytes', [])
    return Number(row?.bytes)
  })
}

/** Requires a migrated database. Reads the sizes of all projects and uploads: seconds for a million. */
export const readStorageState = async (store: Store, directoryOf: (place: string) => string): Promise<StorageState> => {
  const { filePath } = store
  const project = await store.read(({ db }) =>
    db.selectFrom('projectRepository').select('place').limit(1).executeTakeFirst(),
  )
  return {
    databaseBytes: await readDatabaseBytes(store),
    databaseLogBytes: filePath === undefined ? null : sizeOf(`${filePath}-wal`),
    databaseFreeBytes: filePath === undefined ? null : await readFreeBytes(filePath),
    repositoriesFreeBytes: project ? await readFreeBytes(directoryOf(project.place)) : null,
    ...(await store.read(sumSizes)),
  }
}
