import { isPlatformError, type Platform } from '@forgelet/core'
import { type Seed, type SeedOptions, type SeedResult, seed } from '@forgelet/core/seed'
import { messageOf } from '../app/error-text.ts'
import { CliError } from './cli-error.ts'
import { openProgress } from './progress.ts'

const actor = { system: 'command line' }

const isEmpty = async (platform: Platform) => {
  const session = platform.as(actor)
  const users = await session.users.list({ perPage: 1 })
  const projects = await session.projects.list({ perPage: 1 })
  return users.total === 0 && projects.total === 0
}

/** Seed data with its name for messages. */
export interface NamedSeed {
  readonly seed: Seed
  readonly name: string
}

/**
 * Adds seed data to existing data in one transaction.
 *
 * @throws CliError if part of the seed data is invalid
 */
export async function seedWorld(
  platform: Platform,
  data: Seed,
  name: string,
  existing: NonNullable<SeedOptions['existing']> = 'reject',
): Promise<SeedResult> {
  const progress = openProgress()
  try {
    return await seed(platform, data, { existing, onProgress: (items) => progress.step('seeded', items) })
  } catch (error) {
    // Serialization failures are retried by the caller's transaction.
    if (!isPlatformError(error)) throw error
    throw new CliError(`${name} cannot be seeded, nothing was changed: ${messageOf(error)}`)
  } finally {
    progress.end()
  }
}

/**
 * Adds seed data if there is no data. If two processes start together, one of them adds it.
 *
 * @returns whether this call added it
 * @throws CliError if part of the seed data is invalid
 */
export const seedIfEmpty = (platform: Platform, data: Seed, name: string): Promise<boolean> =>
  platform.atomic(async (transaction) => {
    if (!(await isEmpty(transaction))) return false
    await seedWorld(transaction, data, name)
    return true
  })
