import type { Handle, Store } from '../kernel/store.ts'

/** The errors in the contents of a database. */
export interface DatabaseCheck {
  /** Errors in pages and indexes. SQLite only; PostgreSQL has its own tools. */
  readonly integrityErrors: readonly string[]
  /** Rows with dangling references. Always empty on PostgreSQL, which enforces foreign keys. */
  readonly foreignKeyViolations: readonly string[]
  /** Counters of internal ids of deleted projects or groups; no foreign key covers them. */
  readonly orphanedCounters: readonly string[]
}

/** The kinds of internal ids that are counted per project or per group. */
const projectCounterKinds = ['issue', 'mergeRequest', 'milestone', 'deployment']
const groupCounterKinds = ['epic', 'groupMilestone']

const findOrphanedCounters = async ({ db }: Handle): Promise<readonly string[]> => {
  const counters = db.selectFrom('internalId').select(['kind', 'ownerId'])
  const orphaned = [
    ...(await counters
      .where('kind', 'in', projectCounterKinds)
      .where('ownerId', 'not in', (eb) => eb.selectFrom('project').select('project.id'))
      .execute()),
    ...(await counters
      .where('kind', 'in', groupCounterKinds)
      .where('ownerId', 'not in', (eb) => eb.selectFrom('namespace').select('namespace.id'))
      .execute()),
  ]
  return orphaned.map(
    ({ kind, ownerId }) =>
      `the counter of ${kind} numbers of ${groupCounterKinds.includes(kind) ? 'group' : 'project'} ${ownerId}`,
  )
}

const runIntegrityPragmas = async (handle: Handle) => {
  if (handle.dialect !== 'sqlite') return { integrityErrors: [], foreignKeyViolations: [] }
  const integrity = await handle.run('pragma integrity_check', [])
  const references = await handle.run('pragma foreign_key_check', [])
  return {
    integrityErrors: integrity.map((row) => String(Object.values(row)[0])).filter((message) => message !== 'ok'),
    foreignKeyViolations: references.map(({ table, rowid, parent }) => `${table} ${rowid ?? '?'} → ${parent}`),
  }
}

/** Checks a migrated database without changing it. On SQLite this reads the whole database. */
export const checkDatabase = (store: Store): Promise<DatabaseCheck> =>
  store.read(async (handle) => ({
    ...(await runIntegrityPragmas(handle)),
    orphanedCounters: await findOrphanedCounters(handle),
  }))

/** A job with a failed last attempt: parked, or waiting for a retry. */
export interface FailedJob {
  readonly id: number
  readonly kind: string
  readonly state: 'pending' | 'running' | 'parked'
  readonly attempts: number
  readonly lastError: string
}

/** At most 100 jobs with a failed last attempt, the parked ones first. */
export const listFailedJobs = (store: Store): Promise<readonly FailedJob[]> =>
  store.read(({ db }) =>
    db
      .selectFrom('job')
      .where('lastError', 'is not', null)
      .orderBy('state')
      .orderBy('id')
      .select(['id', 'kind', 'state', 'attempts', 'lastError'])
      .$narrowType<{ lastError: string }>()
      .limit(100)
      .execute(),
  )

interface RepositoryStorageKey {
  readonly projectId: number
  /** A name below the repository folder, or an absolute path. */
  readonly place: string
  /** Whether the repository had no commits after its last recorded change. */
  readonly emptyRepo: boolean
}

/** The storage keys of all repositories. */
export const listRepositoryStorageKeys = (store: Store): Promise<readonly RepositoryStorageKey[]> =>
  store.read(({ db }) =>
    db
      .selectFrom('projectRepository as repository')
      .innerJoin('project', 'project.id', 'repository.projectId')
      .orderBy('repository.projectId')
      .select(['repository.projectId', 'repository.place', 'project.emptyRepo'])
      .execute(),
  )

interface UploadedFile {
  readonly id: number
  readonly storageKey: string
  /** Bytes. */
  readonly size: number
}

/** The uploads in the file storage, in pages of 100. */
export async function* listUploadedFiles(store: Store): AsyncGenerator<readonly UploadedFile[]> {
  for (let after = 0; ; ) {
    const page = await store.read(({ db }) =>
      db
        .selectFrom('upload')
        .where('id', '>', after)
        .orderBy('id')
        .select(['id', 'storageKey', 'size'])
        .limit(100)
        .execute(),
    )
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.id
  }
}
