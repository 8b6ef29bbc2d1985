import { existsSync, statSync } from 'node:fs'
import { createPlatform, type Platform, type Store } from '@forgelet/core'
import { examine, examineSqlite, failedJobs, repositoryPlaces, verifyCounters } from '@forgelet/core/maintenance'
import { dataPlace } from './data-file.ts'
import { Failure } from './failure.ts'
import { openStore, unusable } from './open-platform.ts'

/** What one check found. */
export interface DiagnosisOf {
  readonly name: string
  readonly verdict: 'ok' | 'wrong' | 'skipped'
  readonly says: string
  readonly details: readonly string[]
}

interface Diagnosis {
  readonly where: string
  readonly checks: readonly DiagnosisOf[]
}

const mostNamed = 20

const found = (name: string, faults: readonly string[], fine: string, wrong: string): DiagnosisOf => ({
  name,
  verdict: faults.length ? 'wrong' : 'ok',
  says: faults.length ? wrong : fine,
  details:
    faults.length > mostNamed ? [...faults.slice(0, mostNamed), `and ${faults.length - mostNamed} more`] : faults,
})

const skipped = (name: string, says: string): DiagnosisOf => ({ name, verdict: 'skipped', says, details: [] })

const schema = async (store: Store): Promise<DiagnosisOf> => {
  const { pending = [], newer = [] } = (await store.state?.()) ?? {}
  if (newer.length) {
    return found('schema', newer, '', 'a newer version has changed it: install that version or newer')
  }
  return found('schema', pending, 'up to date', 'not up to date: run forgelet migrate')
}

const contents = async (store: Store): Promise<readonly DiagnosisOf[]> => {
  const { damages, dangling, orphans } = await examine(store)
  // Looks only, but an index of words is checked by a statement that counts as a write.
  const counters = await store.write((handle) => verifyCounters(handle))
  return [
    store.dialect === 'sqlite'
      ? found('pages', damages, 'sound', 'damaged: bring back a backup')
      : skipped('pages', 'PostgreSQL looks after its own: see amcheck'),
    found('references', dangling, 'all lead somewhere', 'rows whose references lead nowhere'),
    found('counters of numbers', orphans, 'all belong to something', 'left behind by what has gone'),
    found(
      'counters of issues',
      counters.map(({ table, rows }) => `${table}: ${rows} rows`),
      'all right',
      'not what they must be: rebuildCounters() of @forgelet/core/maintenance makes them anew',
    ),
  ]
}

/** Further back a queue is not busy any more but stuck. In seconds. */
const longestWait = 3_600

const jobs = async (store: Store, platform: Platform): Promise<readonly DiagnosisOf[]> => {
  const failed = await failedJobs(store)
  const named = failed.map(
    ({ id, kind, state, attempts, lastError }) =>
      `${kind} ${id}, ${state === 'parked' ? 'given up' : 'will be tried again'} after ${attempts} tries: ${lastError}`,
  )
  const { jobs: counts } = await platform.vitals()
  const waited = counts.oldestDueSeconds ?? 0
  const stuck = waited > longestWait ? [`the oldest for ${Math.floor(waited / 60)} minutes: is a server running?`] : []
  return [
    found('failed jobs', named, 'none', 'jobs failed the last time they ran'),
    found('waiting jobs', stuck, `${counts.waiting} in the queue`, 'due jobs are not run'),
  ]
}

const repositories = async (store: Store, platform: Platform): Promise<DiagnosisOf> => {
  const places = await repositoryPlaces(store)
  const missing = places
    .map(({ projectId, place }) => ({ projectId, directory: platform.ports.repositories.directoryOf(place) }))
    .filter(({ directory }) => !existsSync(directory))
    .map(({ projectId, directory }) => `project ${projectId}: ${directory}`)
  return found('repositories', missing, `${places.length} on disk`, 'missing on disk: bring them back from a backup')
}

/** Files that hold secrets, and that others on this machine could read. */
const permissions = (file: string): DiagnosisOf => {
  const { key } = dataPlace(file)
  const open = [file, `${file}-wal`, key].filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
  return found('permissions', open, 'only the owner may read', 'others may read: chmod 600')
}

const damagedFile = (where: string): Diagnosis | undefined => {
  let damages: readonly string[]
  try {
    damages = examineSqlite(where).damages
  } catch (error) {
    throw unusable(where, error)
  }
  if (!damages.length) return undefined
  return { where, checks: [found('pages', damages, '', 'damaged: bring back a backup')] }
}

/**
 * Looks data through without changing it.
 *
 * @throws Failure when it cannot be opened at all
 */
export async function diagnose(
  data: { readonly data: string; readonly database: string | undefined; readonly repositories?: string | undefined },
  written: ReadonlySet<string>,
): Promise<Diagnosis> {
  const { where, file, options, open } = openStore(data, written)
  if (file !== undefined) {
    if (!existsSync(file)) throw new Failure(`There is no file ${file}`)
    // A file that is damaged badly can break every query that follows.
    const damaged = damagedFile(file)
    if (damaged) return damaged
  }
  const store = open()
  const platform = createPlatform(store, options)
  try {
    const checks = [await schema(store)]
    if (checks.every(({ verdict }) => verdict === 'ok')) {
      checks.push(...(await contents(store)), ...(await jobs(store, platform)), await repositories(store, platform))
    } else checks.push(skipped('everything else', 'comes when the schema fits'))
    if (file !== undefined) checks.push(permissions(file))
    return { where, checks }
  } finally {
    await platform.close()
  }
}
