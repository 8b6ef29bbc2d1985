import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { postgres, type Store } from '@forgelet/core'
import { copyStore } from '@forgelet/core/maintenance'
import { messageOf } from '../app/error-text.ts'
import { CliError, UsageError } from './cli-error.ts'
import { assertDataFileExists, type DataPaths, dataPathsOf } from './data-paths.ts'
import type { Invocation } from './invocation.ts'
import { databaseName, openError, openFile } from './open-platform.ts'
import type { copyOptions } from './options.ts'
import { openProgress } from './progress.ts'
import { quote } from './shell-quote.ts'
import { printJson } from './table.ts'

/** One of the two databases; not opened yet. */
interface End {
  readonly location: string
  /** The data file with the paths beside it; undefined for PostgreSQL. */
  readonly paths: DataPaths | undefined
  open(): Store
}

const toEnd = (name: '--from' | '--to', text: string | undefined): End => {
  if (text === undefined) throw new UsageError(`${name} is missing`)
  if (text === ':memory:') throw new UsageError(`${name} must be a file or a PostgreSQL database`)
  if (/^postgres(?:ql)?:/.test(text)) {
    if (!URL.canParse(text)) throw new UsageError(`${name} must be a URL that starts with postgres://`)
    return { location: databaseName(text), paths: undefined, open: () => postgres(text) }
  }
  const paths = dataPathsOf(resolve(text))
  return { location: paths.file, paths, open: () => openFile(paths.file) }
}

const open = (end: End): Store => {
  try {
    return end.open()
  } catch (error) {
    throw openError(end.location, error)
  }
}

/** What is not in the database, and where the next server expects it. */
const describeRest = (from: End, to: End): string => {
  if (from.paths !== undefined && to.paths === undefined) {
    const { repositories, files, key } = from.paths
    const options = `--repositories ${quote(repositories)} --files ${quote(files)} --secret-key-file ${quote(key)}`
    return `Repositories, uploaded files and the key of secrets stay where they are. Serve them with: --database … ${options}`
  }
  if (to.paths === undefined) return 'Repositories, uploaded files and the key of secrets stay where they are.'
  const { repositories, files, key } = to.paths
  return `Copy the repositories to ${repositories}, uploaded files to ${files}, and the key of secrets to ${key} (mode 0600).`
}

/** Copies the rows in one transaction. Nothing is left of a copy that fails. */
export const copyCommand = async ({ options }: Invocation<typeof copyOptions>): Promise<void> => {
  const from = toEnd('--from', options.from)
  const to = toEnd('--to', options.to)
  if (from.paths) assertDataFileExists(from.paths.file)
  const created = to.paths && !existsSync(to.paths.file) ? to.paths.file : undefined
  const progress = openProgress()
  const source = open(from)
  let target: Store | undefined
  let copied = false
  try {
    target = open(to)
    const { tables, rows } = await copyStore(source, target, (table, done, total) =>
      progress.step(`copying ${table}`, done, total),
    )
    copied = true
    progress.end()
    if (options.json) printJson({ from: from.location, to: to.location, tables, rows })
    process.stderr.write(`Copied ${rows.toLocaleString('en')} rows of ${tables} tables from ${from.location} to ${to.location} and compared them.
${describeRest(from, to)}\n`)
  } catch (error) {
    progress.end()
    if (error instanceof CliError) throw error
    throw new CliError(`${from.location} cannot be copied to ${to.location}: ${messageOf(error)}`)
  } finally {
    await target?.close()
    await source.close()
    if (!copied && created !== undefined) for (const end of ['', '-wal', '-shm']) rmSync(created + end, { force: true })
  }
}
