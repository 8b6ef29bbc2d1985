import { type ErrorCode, isPlatformError } from '@forgelet/core'

const refusals: ReadonlySet<ErrorCode> = new Set([
  'unauthenticated',
  'forbidden',
  'insufficient_scope',
  'not_found',
  'not_licensed',
])

/** The result of a call for a part of a page; undefined if the visitor cannot read the part. */
export const ifPermitted = async <T>(call: PromiseLike<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (isPlatformError(error) && refusals.has(error.code)) return undefined
    throw error
  }
}
