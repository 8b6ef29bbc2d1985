import type { Handle, Store } from '../kernel/store.ts'

/** What is wrong inside a database. */
export interface Examination {
  /** What is wrong with pages and indexes: SQLite only; PostgreSQL has tools of its own for that. */
  readonly damages: readonly string[]
  /** Rows whose references lead nowhere. PostgreSQL never lets them come into being. */
  readonly dangling: readonly string[]
  /** Counters of internal numbers whose project or group has gone: no reference of the database keeps these in order. */
  readonly orphans: readonly string[]
}

/** Whose numbers a counter counts. */
const ofProjects = ['issue', 'mergeRequest', 'milestone', 'deployment']
const ofGroups = ['epic', 'groupMilestone']

const orphansOf = async ({ db }: Handle): Promise<readonly string[]> => {
  const counters = db.selectFrom('internalId').select(['kind', 'ownerId'])
  const lost = [
    ...(await counters
      .where('kind', 'in', ofProjects)
      .where('ownerId', 'not in', (eb) => eb.selectFrom('project').select('project.id'))
      .execute()),
    ...(await counters
      .where('kind', 'in', ofGroups)
      .where('ownerId', 'not in', (eb) => eb.selectFrom('namespace').select('namespace.id'))
      .execute()),
  ]
  return lost.map(
    ({ kind, ownerId }) =>
      `the counter of ${kind} numbers of ${ofGroups.includes(kind) ? 'group' : 'project'} ${ownerId}`,
  )
}

const pragmas = async (handle: Handle) => {
  if (handle.dialect !== 'sqlite') return { damages: [], dangling: [] }
  const integrity = await handle.run('pragma integrity_check', [])
  const references = await handle.run('pragma foreign_key_check', [])
  return {
    damages: integrity.map((row) => String(Object.values(row)[0])).filter((says) => says !== 'ok'),
    dangling: references.map(({ table, rowid, parent }) => `${table} ${rowid ?? '?'} → ${parent}`),
  }
}

/** Looks a migrated database through. Reads every page of it, and changes nothing. */
export const examine = (store: Store): Promise<Examination> =>
  store.read(async (handle) => ({ ...(await pragmas(handle)), orphans: await orphansOf(handle) }))

/** A job that failed: parked, or to be tried again. */
export interface FailedJob {
  readonly id: number
  readonly kind: string
  readonly state: 'pending' | 'running' | 'parked'
  readonly attempts: number
  readonly lastError: string
}

/** The jobs that failed last time, the parked ones first. */
export const failedJobs = (store: Store): Promise<readonly FailedJob[]> =>
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

/** Where the repositories of projects lie: names below the folder of repositories, or absolute paths. */
export const repositoryPlaces = (
  store: Store,
): Promise<readonly { readonly projectId: number; readonly place: string }[]> =>
  store.read(({ db }) =>
    db.selectFrom('projectRepository').orderBy('projectId').select(['projectId', 'place']).execute(),
  )
