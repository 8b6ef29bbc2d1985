import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { createPlatform, isPlatformError, type JobLane, type Platform, type Store } from '@forgelet/core'
import {
  checkDatabase,
  checkSqliteFile,
  listEventConsumers,
  listFailedJobs,
  listRepositoryStorageKeys,
  listUploadedFiles,
  verifyCounters,
} from '@forgelet/core/maintenance'
import { describeError, messageOf } from '../app/error-text.ts'
import { assertDataFileExists, dataPathsOf } from './data-paths.ts'
import { externalRegistry, type RegistryTokenSource } from './external-registry.ts'
import { dataSource, openError } from './open-platform.ts'
import type { OptionValues } from './option-types.ts'
import type { doctorOptions } from './options.ts'

/** The result of one check. */
export interface Check {
  readonly name: string
  readonly verdict: 'ok' | 'wrong' | 'skipped'
  readonly says: string
  readonly details: readonly string[]
}

interface Diagnosis {
  readonly location: string
  readonly checks: readonly Check[]
}

const maxDetails = 20

const check = (name: string, problems: readonly string[], ok: string, wrong: string): Check => ({
  name,
  verdict: problems.length ? 'wrong' : 'ok',
  says: problems.length ? wrong : ok,
  details:
    problems.length > maxDetails
      ? [...problems.slice(0, maxDetails), `and ${problems.length - maxDetails} more`]
      : problems,
})

const skipped = (name: string, says: string): Check => ({ name, verdict: 'skipped', says, details: [] })

const schema = async (store: Store): Promise<Check> => {
  const { pending = [], unknown = [] } = (await store.readState?.()) ?? {}
  if (unknown.length) {
    return check('schema', unknown, '', 'migrated by another version: install that version')
  }
  return check('schema', pending, 'up to date', 'not up to date: run forgelet migrate')
}

const contents = async (store: Store): Promise<readonly Check[]> => {
  const { integrityErrors, foreignKeyViolations, orphanedCounters } = await checkDatabase(store)
  return [
    store.dialect === 'sqlite'
      ? check('pages', integrityErrors, 'valid', 'damaged: restore a backup')
      : skipped('pages', 'not checked on PostgreSQL: use its amcheck'),
    check('references', foreignKeyViolations, 'all valid', 'foreign keys without a row'),
    check('counters of numbers', orphanedCounters, 'all in use', 'of deleted projects or groups'),
    await issueCounters(store),
  ]
}

const issueCounters = async (store: Store): Promise<Check> => {
  // SQLite checks a full-text index by an insert statement, which requires a write transaction.
  if (store.getWriteError?.()) return skipped('counters of issues', 'not checked in read-only data')
  const counters = await store.write((handle) => verifyCounters(handle))
  return check(
    'counters of issues',
    counters.map(({ table, rows }) => `${table}: ${rows} rows`),
    'correct',
    'incorrect: rebuild them with rebuildCounters() of @forgelet/core/maintenance',
  )
}

const writes = (store: Store): Check => {
  const error = store.getWriteError?.()
  const problems = error
    ? ['a server on this data rejects writes and runs no jobs: check the permissions and the mount']
    : []
  return check('writes', problems, 'accepted', 'the data is read-only')
}

/** A queue with a job that has been due for longer is stuck. In seconds. */
const maxWait = 3_600

/** A line for a lane that has jobs apart from a scheduled one: `remoteMirrors.push: 2 of 8 running, 5 waiting`. */
const describeLane = ({ kind, concurrency, running, waiting, parked, oldestDueSeconds: waited }: JobLane) =>
  running + parked > 0 || waited !== null
    ? [
        `${kind}: ${running} running (at most ${concurrency} in each process), ${waiting} waiting` +
          (waited === null ? '' : `, the oldest for ${Math.floor(waited)} seconds`) +
          (parked ? `, ${parked} parked` : ''),
      ]
    : []

const jobs = async (store: Store, platform: Platform): Promise<readonly Check[]> => {
  const failed = await listFailedJobs(store)
  const descriptions = failed.map(
    ({ id, kind, state, attempts, lastError }) =>
      `${kind} ${id}, ${state === 'parked' ? 'parked' : 'will be retried'} after ${attempts} attempts: ${lastError}`,
  )
  const { jobs: counts, lanes } = await platform.health()
  const waited = counts.oldestDueSeconds ?? 0
  const stuck =
    waited > maxWait ? [`the oldest has been due for ${Math.floor(waited / 60)} minutes: is a server running?`] : []
  return [
    check('failed jobs', descriptions, 'none', 'the last run of these jobs failed'),
    check('waiting jobs', stuck, `${counts.waiting} in the queue`, 'due jobs do not run'),
    { ...check('job lanes', [], `${counts.running} jobs are running`, ''), details: lanes.flatMap(describeLane) },
  ]
}

/** Seconds after which a consumer of events counts as stopped. */
const maxEventDelay = 3_600

const events = async (store: Store): Promise<Check> => {
  const consumers = await listEventConsumers(store)
  const stopped = consumers.flatMap(({ name, waiting, oldest }) => {
    const seconds = oldest === null ? 0 : (Date.now() - Date.parse(oldest)) / 1_000
    const minutes = Math.floor(seconds / 60)
    return seconds > maxEventDelay ? [`${name}: ${waiting} waiting, the oldest for ${minutes} minutes`] : []
  })
  return check(
    'event consumers',
    stopped,
    `${consumers.length} have received their events`,
    'do not receive their events',
  )
}

const replicas = async (platform: Platform): Promise<Check> => {
  const states = (await platform.health()).store.replicas
  if (!states) return skipped('replicas', 'none')
  const problems = states.flatMap(({ name, error }) => (error === null ? [] : [`${name}: ${error}`]))
  const lags = states.map(({ name, lagBytes }) => `${name} has to replay ${lagBytes} bytes`).join(', ')
  return check('replicas', problems, lags, 'reads use the primary instead')
}

type OpenedRepository = ReturnType<Platform['ports']['git']['open']>

/** Messages of errors contain the output of git. */
const findDamage = async (repository: OpenedRepository, isExpectedEmpty: boolean): Promise<readonly string[]> => {
  try {
    const format = await repository.objectFormat()
    if (format !== 'sha1') return [`object ids are ${format}; only sha1 is supported`]
    const damage = await repository.findDamage()
    if (damage.length || isExpectedEmpty) return damage
    const hasCommits = (await repository.head()).commit !== undefined || (await repository.branches()).length > 0
    return hasCommits ? [] : ['has no commits, although the project had some']
  } catch (error) {
    if (isPlatformError(error)) throw error
    return [messageOf(error)]
  }
}

const repositories = async (store: Store, platform: Platform): Promise<readonly Check[]> => {
  const places = (await listRepositoryStorageKeys(store)).map(({ place, ...row }) => ({
    ...row,
    directory: platform.ports.repositories.directoryOf(place),
  }))
  const present = places.filter(({ directory }) => existsSync(directory))
  const missing = places.filter((place) => !present.includes(place))
  const missingCheck = check(
    'repositories',
    missing.map(({ projectId, directory }) => `project ${projectId}: ${directory}`),
    `${places.length} on disk`,
    'missing on disk: restore them from a backup',
  )
  const name = 'contents of repositories'
  const damage: string[] = []
  try {
    for (const { projectId, directory, emptyRepo } of present) {
      const found = await findDamage(platform.ports.git.open(directory), emptyRepo)
      if (found.length) damage.push(`project ${projectId}: ${directory}: ${found.slice(0, maxDetails).join('; ')}`)
    }
  } catch (error) {
    return [missingCheck, skipped(name, `not checked: ${messageOf(error)}`)]
  }
  return [missingCheck, check(name, damage, 'intact', 'damaged: restore them from a backup')]
}

/** Stores, reads and removes a small file. */
const probe = async (files: Platform['ports']['files']): Promise<readonly string[]> => {
  const key = `doctor-${randomUUID()}`
  const content = Buffer.from(key)
  try {
    await files.write(key, [content], { maximumBytes: content.length })
    const stored = await files.read(key)
    return stored && (await buffer(stored)).equals(content) ? [] : ['a stored file cannot be read']
  } catch (error) {
    return [describeError(error)]
  } finally {
    await files.remove(key).catch(() => undefined)
  }
}

/** `folder`: the default folder, which the first upload creates. */
const uploadedFiles = async (
  store: Store,
  platform: Platform,
  folder: string | undefined,
): Promise<readonly Check[]> => {
  const { files } = platform.ports
  if (folder !== undefined && !existsSync(folder)) return [skipped('file storage', 'not checked: it has no files yet')]
  const access = check('file storage', await probe(files), 'stores and returns files', 'does not work')
  if (access.verdict === 'wrong') return [access]
  const problems: string[] = []
  let count = 0
  for await (const page of listUploadedFiles(store)) {
    count += page.length
    const sizes = await Promise.all(page.map(async ({ storageKey }) => (await files.stat(storageKey))?.size))
    const broken = page.filter(({ size }, index) => sizes[index] !== size)
    problems.push(...broken.map(({ id, storageKey }) => `upload ${id}: ${storageKey}`))
  }
  const intact = `${count} in the file storage`
  return [access, check('uploaded files', problems, intact, 'missing or incomplete: restore them from a backup')]
}

/** With less free space, writes can soon fail. In bytes. */
const minimumFree = 1024 ** 3

const formatBytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

const disks = async (platform: Platform): Promise<Check> => {
  const { databaseFreeBytes, repositoriesFreeBytes } = await platform.readStorage()
  const free = Object.entries({ 'the data file': databaseFreeBytes, repositories: repositoriesFreeBytes }).flatMap(
    ([name, bytes]) => (bytes === null ? [] : [{ name, bytes }]),
  )
  if (!free.length) return skipped('disk space', 'the disks belong to other machines')
  const describe = ({ name, bytes }: (typeof free)[number]) => `${formatBytes(bytes)} free for ${name}`
  const full = free.filter(({ bytes }) => bytes < minimumFree)
  return check('disk space', full.map(describe), free.map(describe).join(', '), 'less than 1 GiB is free')
}

/** Files with secrets must be readable by their owner only. */
const permissions = (file: string): Check => {
  const { key } = dataPathsOf(file)
  const open = [file, `${file}-wal`, key].filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
  return check('permissions', open, 'readable by the owner only', 'readable by other users: chmod 600')
}

const diagnoseDamagedFile = (file: string): Diagnosis | undefined => {
  let integrityErrors: readonly string[]
  try {
    integrityErrors = checkSqliteFile(file).integrityErrors
  } catch (error) {
    throw openError(file, error)
  }
  if (!integrityErrors.length) return undefined
  return { location: file, checks: [check('pages', integrityErrors, '', 'damaged: restore a backup')] }
}

/** No project has this repository: it has no tags. */
const unusedPath = 'forgelet-doctor'

const registry = async ({ images }: Platform['ports']['registry']): Promise<Check> => {
  if (!images) return skipped('registry', 'no external registry')
  const problems = await images.tags(unusedPath).then(
    () => [],
    (error: unknown) => [messageOf(error)],
  )
  return check('registry', problems, 'responds', 'images are not available: check its address, and whom it trusts')
}

/**
 * Checks data without changes to it.
 *
 * @throws CliError if the data cannot be opened
 */
export async function diagnose(data: OptionValues<typeof doctorOptions>): Promise<Diagnosis> {
  const { location, file, platformOptions, open } = dataSource(data)
  if (file !== undefined) {
    assertDataFileExists(file)
    // Queries on a damaged file can fail in arbitrary ways.
    const damaged = diagnoseDamagedFile(file)
    if (damaged) return damaged
  }
  const defaultFiles = platformOptions.files ?? (file && dataPathsOf(file).files)
  const store = open()
  const tokenSource: RegistryTokenSource = {}
  const external = externalRegistry(data, tokenSource)
  const ports = { ...platformOptions.ports, ...(external && { registry: external }) }
  const platform = createPlatform(store, { ...platformOptions, ports })
  tokenSource.platform = platform
  try {
    const checks = [writes(store), await schema(store)]
    if (checks.at(-1)?.verdict === 'ok') {
      checks.push(
        ...(await contents(store)),
        ...(await jobs(store, platform)),
        ...(store.dialect === 'postgres' ? [await events(store), await replicas(platform)] : []),
        await registry(platform.ports.registry),
        await disks(platform),
        ...(await repositories(store, platform)),
        ...(await uploadedFiles(store, platform, data.files === undefined ? defaultFiles : undefined)),
      )
    } else checks.push(skipped('other checks', 'require an up-to-date schema'))
    if (file !== undefined) checks.push(permissions(file))
    return { location, checks }
  } finally {
    await platform.close()
  }
}
