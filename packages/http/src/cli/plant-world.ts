import { isPlatformError, type Platform } from '@forgelet/core'
import { plant, type Seed, type SeedResult } from '@forgelet/core/seed'
import { Failure, reasonOf } from './failure.ts'
import { openProgress } from './progress.ts'

const host = { system: 'command line' }

const isEmpty = async (platform: Platform) => {
  const session = platform.as(host)
  const users = await session.users.list({ perPage: 1 })
  const projects = await session.projects.list({ perPage: 1 })
  return users.total === 0 && projects.total === 0
}

/**
 * Adds a world to what is there: all of it or nothing.
 *
 * @throws Failure when something in it is refused
 */
export async function plantWorld(platform: Platform, seed: Seed, name: string): Promise<SeedResult> {
  const progress = openProgress()
  try {
    return await plant(platform, seed, (things) => progress.step('planted', things))
  } catch (error) {
    // A race with another process is not the seed's fault: whoever opened the transaction runs it again.
    if (!isPlatformError(error)) throw error
    throw new Failure(`${name} cannot be planted, nothing was changed: ${reasonOf(error)}`)
  } finally {
    progress.end()
  }
}

/**
 * Plants a world where there is no data yet. Of two processes that start together one does.
 *
 * @returns whether it did
 * @throws Failure when something in it is refused
 */
export const plantWhereEmpty = (platform: Platform, seed: Seed, name: string): Promise<boolean> =>
  platform.atomic(async (open) => {
    if (!(await isEmpty(open))) return false
    await plantWorld(open, seed, name)
    return true
  })
