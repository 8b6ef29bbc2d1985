import { existsSync } from 'node:fs'
import { chmod, copyFile, link, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { examineSqlite, settleSqlite } from '@forgelet/core/maintenance'
import { type Manifest, placeIn, readManifest, sha256Of } from './backup-folder.ts'
import { command } from './command.ts'
import { type DataPlace, dataPlace, ownDataPlace } from './data-file.ts'
import { exitCodes, Failure } from './failure.ts'
import { fileFault } from './file-faults.ts'
import { toggle } from './flag.ts'
import { dataFlags } from './options.ts'
import { openProgress, type Progress } from './progress.ts'
import { copyRepositories } from './repository-copy.ts'

const forPostgres =
  'forgelet restore writes data files. Bring PostgreSQL back with its own tool: pg_restore --clean --dbname=<url> forge.dump'

/** @throws Failure when the backup is not whole, or comes from a newer version */
const checked = async (folder: string, progress: Progress): Promise<Manifest> => {
  const manifest = readManifest(folder)
  const { file } = placeIn(folder)
  if (!existsSync(file)) throw new Failure(`${folder} is not whole: there is no forge.db in it`)
  progress.step('checking the backup', 0, 1)
  if ((await sha256Of(file)) !== manifest.database.sha256) {
    throw new Failure(`${folder} is not whole: forge.db is not the file that was written`)
  }
  const { ours, damages, dangling, newer } = examineSqlite(file)
  if (!ours) throw new Failure(`${file} belongs to another program`)
  if (newer.length) {
    throw new Failure(
      `${folder} was made by a newer version, ${manifest.version} (${newer.join(', ')}): install that version or newer`,
      exitCodes.newerData,
    )
  }
  const faults = [...damages, ...dangling]
  if (faults.length) throw new Failure(`${folder} is damaged: ${faults.slice(0, 5).join('; ')}`)
  progress.step('checking the backup', 1, 1)
  return manifest
}

/** Everything under names that nothing uses yet, so that what follows is renames only. */
const stage = async (from: DataPlace, to: DataPlace, progress: Progress) => {
  await copyFile(from.file, to.file)
  await chmod(to.file, 0o600)
  if (existsSync(from.key)) {
    await copyFile(from.key, to.key)
    await chmod(to.key, 0o600)
  }
  if (existsSync(from.repositories)) {
    await copyRepositories(from.repositories, to.repositories, (done, total) =>
      progress.step('copying repositories', done, total),
    )
  }
  const { damages } = examineSqlite(to.file)
  if (damages.length) throw new Failure(`What was written is damaged: ${damages[0]}. Nothing was replaced`)
}

const moveIfThere = async (from: string, to: string) => {
  if (existsSync(from)) await rename(from, to)
}

/**
 * Puts what is staged into place. The data file comes last and in one step: whoever looks sees the old one or the new one,
 * never none. What was there before stays, under the names of `old`.
 */
const swap = async (staged: DataPlace, to: DataPlace, old: DataPlace) => {
  await moveIfThere(to.repositories, old.repositories)
  await moveIfThere(staged.repositories, to.repositories)
  if (existsSync(staged.key)) {
    await moveIfThere(to.key, old.key)
    await rename(staged.key, to.key)
  }
  if (existsSync(to.file)) await link(to.file, old.file)
  // A log that a crash has left behind belongs to the old file: applied to the new one it would ruin it.
  for (const suffix of ['-wal', '-shm', '-journal']) await moveIfThere(`${to.file}${suffix}`, `${old.file}${suffix}`)
  await rename(staged.file, to.file)
}

const stamp = () => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** `forgelet restore <folder>`: brings a backup back. */
export const restoreCommand = command({
  name: 'restore',
  says: 'bring back what forgelet backup has written',
  positionals: ['<folder>'],
  flags: {
    force: toggle({ says: 'replace the data that is there; it is kept beside it under another name' }),
    ...dataFlags,
  },
  examples: ['forgelet restore /var/backups/forge-monday', 'forgelet restore ./copy --data ./forge.db --force'],
  async run({ values: { force, ...data }, written, positionals }) {
    const to = ownDataPlace(data, written, forPostgres)
    const folder = resolve(positionals[0] as string)
    const progress = openProgress()
    const staged = dataPlace(`${to.file}.restoring-${process.pid}`)
    const old = dataPlace(`${to.file}.replaced-${stamp()}`)
    try {
      const manifest = await checked(folder, progress)
      if (!existsSync(dirname(to.file))) {
        throw new Failure(`${to.file} cannot be made: there is no folder ${dirname(to.file)}`)
      }
      const replaces = existsSync(to.file) || existsSync(to.repositories)
      if (replaces && !force) {
        throw new Failure(`${to.file} is there already: give --force to replace it, or --data to choose another file`)
      }
      if (existsSync(to.file) && !settleSqlite(to.file)) {
        throw new Failure(`${to.file} is in use: stop the server first`)
      }
      await stage(placeIn(folder), staged, progress)
      await swap(staged, to, old)
      progress.end()
      process.stderr.write(
        `Brought back ${to.file} as it was on ${manifest.createdAt}${manifest.key === 'left out' ? `, without its key: put it beside as ${to.key}` : ''}.\n` +
          (replaces ? `What was there before is ${old.file}; remove it when all is well.\n` : ''),
      )
    } catch (error) {
      progress.end()
      if (error instanceof Failure) throw error
      throw new Failure(`${folder} cannot be brought back to ${to.file}: ${fileFault(error)}`)
    } finally {
      for (const path of Object.values(staged)) await rm(path, { recursive: true, force: true })
    }
  },
})
