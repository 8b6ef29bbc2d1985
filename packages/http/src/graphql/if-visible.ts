import { isPlatformError } from '@forgelet/core'

/** Errors that reveal nothing but the absence of an object or of a permission. */
const refusedCodes = new Set(['not_found', 'forbidden', 'unauthenticated'])

/** Whether an operation failed because the object is missing or the current user may not use it. */
export const isRefusal = (error: unknown): boolean => isPlatformError(error) && refusedCodes.has(error.code)

/** The result of an operation; undefined for a missing or invisible object. */
export const ifVisible = async <T>(read: Promise<T>): Promise<T | undefined> => {
  try {
    return await read
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}
