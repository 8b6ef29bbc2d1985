import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { copySqlite, examineSqlite } from '@forgelet/core/maintenance'
import { type Manifest, manifestIn, placeIn, sha256Of } from './backup-folder.ts'
import { command } from './command.ts'
import { type DataPlace, presentDataPlace } from './data-file.ts'
import { exitCodes, Failure } from './failure.ts'
import { fileFault } from './file-faults.ts'
import { toggle } from './flag.ts'
import { dataFlags, jsonFlag } from './options.ts'
import { openProgress, type Progress } from './progress.ts'
import { copyRepositories, repositoriesIn, repositoryFaults } from './repository-copy.ts'
import { programVersion } from './version.ts'

const forPostgres =
  'forgelet backup copies data files. Back PostgreSQL up with its own tool: pg_dump --format=custom --file=forge.dump <url>; ' +
  'copy the folder of repositories after it'

const synchronised = async (path: string) => {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** @throws Failure when what was written is not sound */
const verified = async (place: DataPlace, progress: Progress): Promise<readonly string[]> => {
  const { damages, dangling, migrations } = examineSqlite(place.file)
  const faults = [...damages, ...dangling]
  const repositories = existsSync(place.repositories) ? await repositoriesIn(place.repositories) : []
  for (const [at, repository] of repositories.entries()) {
    progress.step('checking repositories', at, repositories.length)
    const found = await repositoryFaults(`${place.repositories}/${repository}`)
    faults.push(...found.map((fault) => `${repository}: ${fault}`))
  }
  if (faults.length) throw new Failure(`The copy is not sound, nothing was kept: ${faults.slice(0, 5).join('; ')}`)
  return migrations
}

const write = async (from: DataPlace, folder: string, withKey: boolean, progress: Progress): Promise<Manifest> => {
  const to = placeIn(folder)
  // The database first: a repository is made before the row that names it and goes after it, so no name leads nowhere.
  await copySqlite(from.file, to.file, (done, total) => progress.step('copying the database', done, total))
  await chmod(to.file, 0o600)
  const key = existsSync(from.key) ? (withKey ? 'included' : 'left out') : 'none'
  if (key === 'included') {
    await copyFile(from.key, to.key)
    await chmod(to.key, 0o600)
  }
  if (existsSync(from.repositories)) {
    await copyRepositories(from.repositories, to.repositories, (done, total) =>
      progress.step('copying repositories', done, total),
    )
  }
  const migrations = await verified(to, progress)
  const repositories = existsSync(to.repositories) ? await repositoriesIn(to.repositories) : []
  const manifest: Manifest = {
    format: 1,
    version: programVersion(),
    createdAt: new Date().toISOString(),
    migrations: [...migrations],
    database: { bytes: (await stat(to.file)).size, sha256: await sha256Of(to.file) },
    key,
    repositories: repositories.length,
  }
  await writeFile(manifestIn(folder), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
  for (const path of [to.file, ...(key === 'included' ? [to.key] : []), manifestIn(folder)]) await synchronised(path)
  return manifest
}

const keySays = { included: 'with its key', 'left out': 'without its key', none: 'no key yet' } as const

/** What is half written goes when somebody stops the program. */
const removedWhenStopped = (folder: string) => {
  const stop = () => {
    void rm(folder, { recursive: true, force: true }).finally(() => process.exit(exitCodes.stopped))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return () => {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

/** `forgelet backup <folder>`: everything as it is at one instant, while others read and write. */
export const backupCommand = command({
  name: 'backup',
  says: 'copy the data file, its key and its repositories into a new folder, while it is served',
  positionals: ['<folder>'],
  flags: {
    withoutKey: toggle({ says: 'leave the key of stored secrets out; keep it elsewhere, secrets are lost without it' }),
    ...jsonFlag,
    ...dataFlags,
  },
  examples: ['forgelet backup /var/backups/forge-monday', 'forgelet backup ./copy --data ./forge.db --json'],
  async run({ values: { withoutKey, json, ...data }, written, positionals }) {
    const from = presentDataPlace(data, written, forPostgres)
    const target = resolve(positionals[0] as string)
    if (existsSync(target)) throw new Failure(`${target} is there already: give a backup a folder of its own`)
    if (!existsSync(dirname(target)))
      throw new Failure(`${target} cannot be made: there is no folder ${dirname(target)}`)
    const draft = `${target}.partial-${process.pid}`
    const progress = openProgress()
    const release = removedWhenStopped(draft)
    try {
      await mkdir(draft, { mode: 0o700 })
      const manifest = await write(from, draft, !withoutKey, progress)
      await rename(draft, target)
      await synchronised(dirname(target)).catch(() => undefined)
      progress.end()
      if (json) process.stdout.write(`${JSON.stringify({ folder: target, ...manifest }, undefined, 2)}\n`)
      else process.stdout.write(`${target}\n`)
      const { database, repositories, key } = manifest
      process.stderr.write(
        `Copied ${from.file} (${database.bytes.toLocaleString('en')} bytes, ${repositories} repositories, ${keySays[key]}) and checked the copy.\n`,
      )
    } catch (error) {
      progress.end()
      if (error instanceof Failure) throw error
      throw new Failure(`${from.file} cannot be copied to ${target}: ${fileFault(error)}`)
    } finally {
      release()
      await rm(draft, { recursive: true, force: true })
    }
  },
})
