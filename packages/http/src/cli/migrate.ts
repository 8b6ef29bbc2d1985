import { command } from './command.ts'
import { dataFlags, jsonFlag } from './options.ts'

/** `forgelet migrate`: brings the schema up to date, after a copy. */
export const migrateCommand = command({
  name: 'migrate',
  says: 'bring the data up to this version, after a copy of the data file',
  positionals: [],
  flags: { ...jsonFlag, ...dataFlags },
  examples: ['forgelet migrate', 'forgelet migrate --data ./forge.db --json'],
  async run({ values: { json, ...data }, written }) {
    const { openPlatform } = await import('./open-platform.ts')
    const { platform, where, migrated, copy } = await openPlatform(data, written, {}, { quiet: true })
    await platform.close()
    if (json) process.stdout.write(`${JSON.stringify({ where, migrated, copy: copy ?? null }, undefined, 2)}\n`)
    else for (const name of migrated) process.stdout.write(`${name}\n`)
    const count = migrated.length === 1 ? 'One change' : `${migrated.length} changes`
    process.stderr.write(migrated.length ? `${count} made to ${where}.\n` : `${where} is up to date.\n`)
    if (copy !== undefined) process.stderr.write(`As it was before: ${copy}\n`)
    else if (migrated.length && data.database !== undefined && !written.has('data')) {
      process.stderr.write('PostgreSQL is not copied: take a pg_dump before you upgrade.\n')
    }
  },
})
