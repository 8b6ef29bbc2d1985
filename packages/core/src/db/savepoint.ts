import { isPlatformError, type PlatformError } from '../kernel/errors.ts'
import type { Handle } from '../kernel/store.ts'

/** The result of work inside a savepoint. */
export type SavepointResult<T> = { readonly value: T } | { readonly error: PlatformError }

/**
 * Runs work inside a savepoint of the open transaction. A platform error rolls back the changes of the work only and is
 * returned, so that the transaction can still commit what came before. Any other error is thrown.
 */
export async function runInSavepoint<T>(handle: Handle, work: () => T | Promise<T>): Promise<SavepointResult<T>> {
  const recorded = handle.outbox?.length ?? 0
  await handle.run('savepoint operation', [])
  try {
    const value = await work()
    await handle.run('release savepoint operation', [])
    return { value }
  } catch (error) {
    if (!isPlatformError(error)) throw error
    await handle.run('rollback to savepoint operation', [])
    handle.outbox?.splice(recorded)
    await handle.run('release savepoint operation', [])
    return { error }
  }
}
