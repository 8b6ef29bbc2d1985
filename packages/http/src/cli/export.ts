import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Platform, Store } from '@forgelet/core'
import { listRepositoryStorageKeys } from '@forgelet/core/maintenance'
import { getErrorCode } from '@forgelet/core/operations'
import { exportSeed } from '@forgelet/core/seed'
import { CliError } from './cli-error.ts'
import { fileErrorMessage } from './file-errors.ts'
import type { Invocation } from './invocation.ts'
import { openPlatform } from './open-platform.ts'
import type { exportOptions } from './options.ts'
import { toCliError } from './platform-errors.ts'
import { formatSeed } from './seed-format.ts'

/** Copies repositories into the folder beside the file; the seed refers to them by paths relative to the file. */
const repositoryCopier = async (platform: Platform, store: Store, file: string) => {
  const keys = await listRepositoryStorageKeys(store)
  const places = new Map(keys.map(({ projectId, place }) => [projectId, place]))
  return async ({ id, fullPath }: { readonly id: number; readonly fullPath: string }) => {
    const place = places.get(id)
    if (place === undefined) return undefined
    const path = join(`${basename(file)}.repositories`, `${fullPath}.git`)
    const target = join(dirname(file), path)
    await mkdir(dirname(target), { recursive: true })
    const { git, repositories } = platform.ports
    await git.clone(repositories.directoryOf(place), target)
    return { import: path }
  }
}

const prepareFile = (file: string, force: boolean) => {
  const outputs = [file, `${file}.repositories`].filter((path) => existsSync(path))
  if (outputs.length && !force) throw new CliError(`${outputs[0]} exists already: use --force to replace it`)
  if (!existsSync(dirname(file))) throw new CliError(`${file} cannot be created: there is no folder ${dirname(file)}`)
  for (const path of outputs) rmSync(path, { recursive: true })
}

/** Writes the data as a seed. Without a file, to stdout and without repositories. */
export const exportCommand = async ({ args: [file], options }: Invocation<typeof exportOptions>): Promise<void> => {
  const { platform, store, location } = await openPlatform(options, {}, { existing: true })
  try {
    if (file !== undefined) prepareFile(file, options.force ?? false)
    const { seed, omitted } = await exportSeed(
      platform,
      file === undefined ? {} : { readRepository: await repositoryCopier(platform, store, file) },
    )
    const text = await formatSeed(seed, options.json ?? file?.toLowerCase().endsWith('.json') ?? false)
    if (file === undefined) process.stdout.write(text)
    else writeFileSync(file, text)
    const hint = file === undefined ? '' : ` to ${file}`
    process.stderr.write(`Exported ${location}${hint}\n`)
    for (const item of omitted) process.stderr.write(`not exported: ${item}\n`)
  } catch (error) {
    const code = getErrorCode(error)
    if (/^E[A-Z]+$/.test(code)) {
      throw new CliError(`${file} cannot be written: ${fileErrorMessage(error)}`)
    }
    throw toCliError(error)
  } finally {
    await platform.close()
  }
}
