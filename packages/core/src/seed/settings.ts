import { isPlatformError, PlatformError } from '../kernel/errors.ts'
import type { Seeder } from './seeder.ts'

/**
 * Updates application settings by their names in camelCase. Runs first, so that the settings apply to all other items.
 *
 * @throws PlatformError for an unknown or invalid setting
 */
export async function seedSettings(seeder: Seeder, settings: Readonly<Record<string, unknown>>): Promise<void> {
  if (!Object.keys(settings).length) return
  try {
    await seeder.asHost().settings.update(settings)
  } catch (error) {
    if (!isPlatformError(error)) throw error
    throw new PlatformError(error.code, `seed.settings: ${error.message}`, { problems: error.problems, cause: error })
  }
}
