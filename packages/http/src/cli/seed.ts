import type { SeedResult } from '@forgelet/core/seed'
import type { Invocation } from './invocation.ts'
import type { jsonDataOptions } from './options.ts'
import { table } from './table.ts'

const cell = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

const tables = (result: SeedResult): string =>
  Object.entries(result)
    .map(([section, records]) => {
      const columns = [...new Set(Object.values(records).flatMap((record) => Object.keys(record)))]
      const rows = Object.entries(records).map(([name, record]) => [
        name,
        ...columns.map((column) => cell(record[column])),
      ])
      return table([section, ...columns], rows, process.stdout)
    })
    .join('\n')

/** Prints the created records under their names in the file. */
export const seedCommand = async ({ args, options }: Invocation<typeof jsonDataOptions>): Promise<void> => {
  const [file] = args as readonly [string]
  const { readSeedFile } = await import('./seed-file.ts')
  // Before the database: an invalid file must not leave an empty database behind.
  const seed = await readSeedFile(file)
  const { openPlatform } = await import('./open-platform.ts')
  const { seedWorld } = await import('./seed-world.ts')
  const { platform, location } = await openPlatform(options)
  try {
    const result = await seedWorld(platform, seed, file)
    process.stdout.write(options.json ? `${JSON.stringify(result, undefined, 2)}\n` : tables(result))
    process.stderr.write(`Seeded ${location}\n`)
  } finally {
    await platform.close()
  }
}
