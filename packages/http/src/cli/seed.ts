import type { Platform } from '@forgelet/core'
import type { SeedResult } from '@forgelet/core/seed'
import { UsageError } from './cli-error.ts'
import { warnAboutGuessableTokens } from './guessable-tokens.ts'
import type { Invocation } from './invocation.ts'
import type { seedOptions } from './options.ts'
import type { NamedSeed } from './seed-world.ts'
import { formatCell, printJson, table } from './table.ts'

const tables = (result: SeedResult): string =>
  Object.entries(result)
    .map(([section, records]) => {
      const columns = [...new Set(Object.values(records).flatMap((record) => Object.keys(record)))]
      const rows = Object.entries(records).map(([name, record]) => [
        name,
        ...columns.map((column) => formatCell(record[column])),
      ])
      return table([section, ...columns], rows, process.stdout)
    })
    .join('\n')

const merge = (results: readonly SeedResult[]): SeedResult => {
  const merged: Record<string, SeedResult[string]> = {}
  for (const [section, records] of results.flatMap((result) => Object.entries(result))) {
    merged[section] = { ...merged[section], ...records }
  }
  return merged
}

/** Adds all seeds or none: later ones can refer to earlier ones. */
const seedAll = async (
  platform: Platform,
  seeds: readonly NamedSeed[],
  existing: 'reject' | 'keep' | 'update',
): Promise<SeedResult> => {
  const { seedWorld } = await import('./seed-world.ts')
  return platform.atomic(async (transaction) => {
    const results: SeedResult[] = []
    for (const { seed, name } of seeds) results.push(await seedWorld(transaction, seed, name, existing))
    return merge(results)
  })
}

/** Adds the seeds to an empty forge in memory. */
const check = async (seeds: readonly NamedSeed[]): Promise<SeedResult> => {
  const { createPlatform, sqlite } = await import('@forgelet/core')
  const platform = createPlatform(sqlite(':memory:', { durability: 'process' }))
  try {
    return await seedAll(platform, seeds, 'reject')
  } finally {
    await platform.close()
  }
}

/** Prints the records of the seeds under their names in the files. */
export const seedCommand = async ({ args, options }: Invocation<typeof seedOptions>): Promise<void> => {
  if (options.ifMissing && options.upsert) throw new UsageError('Use either --if-missing or --upsert')
  const { readSeedFile } = await import('./seed-file.ts')
  // Before the database: an invalid file must not leave an empty database behind.
  const seeds: NamedSeed[] = []
  for (const file of args) seeds.push({ seed: await readSeedFile(file), name: file })
  if (options.check) {
    const result = await check(seeds)
    if (options.json) printJson(result)
    process.stderr.write(`${args.join(', ')}: valid\n`)
    return
  }
  const existing = options.upsert ? 'update' : options.ifMissing ? 'keep' : 'reject'
  const { openPlatform } = await import('./open-platform.ts')
  const { platform, location } = await openPlatform(options)
  try {
    const result = await seedAll(platform, seeds, existing)
    if (options.json) printJson(result)
    else process.stdout.write(tables(result))
    process.stderr.write(`Seeded ${location}\n`)
    warnAboutGuessableTokens(
      seeds.map(({ seed }) => seed),
      location,
    )
  } finally {
    await platform.close()
  }
}
