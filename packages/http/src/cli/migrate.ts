import type { Invocation } from './invocation.ts'
import type { jsonDataOptions } from './options.ts'
import { printJson } from './table.ts'

/** Prints the names of the migrations that ran. */
export const migrateCommand = async ({ options }: Invocation<typeof jsonDataOptions>): Promise<void> => {
  const { openPlatform } = await import('./open-platform.ts')
  const { platform, location, migrated, copy } = await openPlatform(options, {}, { quiet: true, existing: true })
  await platform.close()
  const report = { where: location, migrated, copy: copy ?? null }
  if (options.json) printJson(report)
  else for (const name of migrated) process.stdout.write(`${name}\n`)
  const count = migrated.length === 1 ? '1 migration' : `${migrated.length} migrations`
  process.stderr.write(migrated.length ? `Ran ${count} on ${location}.\n` : `${location} is up to date.\n`)
  if (copy !== undefined) process.stderr.write(`Copy from before the migration: ${copy}\n`)
  else if (migrated.length && options.database !== undefined) {
    process.stderr.write('PostgreSQL is not copied: run pg_dump before an upgrade.\n')
  }
}
