import { isPlatformError, PlatformError } from '../kernel/errors.ts'
import type { Planting } from './planting.ts'

/**
 * The settings of the platform, by their names in camelCase. They come first, so that they hold for all that is planted.
 *
 * @throws PlatformError when one is not known, or refused
 */
export async function plantSettings(planting: Planting, settings: Readonly<Record<string, unknown>>): Promise<void> {
  if (!Object.keys(settings).length) return
  try {
    await planting.at().settings.update(settings)
  } catch (error) {
    if (!isPlatformError(error)) throw error
    throw new PlatformError(error.code, `seed.settings: ${error.message}`, { problems: error.problems, cause: error })
  }
}
