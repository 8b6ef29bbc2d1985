import { isPlatformError, type Session } from '@forgelet/core'
import type { Place } from '@forgelet/core/operations'

/** The present place of a project or a group that had a path before it was renamed or moved; undefined without one. */
export const findMoved = async ({ namespaces }: Session, path: string): Promise<Place | undefined> => {
  try {
    return await namespaces.locate({ path })
  } catch (error) {
    if (isPlatformError(error)) return undefined
    throw error
  }
}
