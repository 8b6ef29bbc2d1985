import { awaitAll } from '../kernel/await-all.ts'
import { isPlatformError, type PlatformError } from '../kernel/errors.ts'
import type { Handle } from '../kernel/store.ts'

/** The result of work inside a savepoint. */
export type SavepointResult<T> = { readonly value: T } | { readonly error: PlatformError }

/**
 * Runs work inside a savepoint of the open transaction. A platform error rolls back the changes of the work only and is
 * returned, so that the transaction can still commit what came before. Any other error is thrown.
 *
 * The savepoint is sent together with the first statement of the work. The commit releases it.
 */
export async function runInSavepoint<T>(handle: Handle, work: () => T | Promise<T>): Promise<SavepointResult<T>> {
  const recorded = handle.outbox?.length ?? 0
  const begin = handle.run('savepoint operation', [])
  try {
    const [value] = await awaitAll([(async () => work())(), begin])
    return { value }
  } catch (error) {
    if (!isPlatformError(error)) throw error
    await handle.run('rollback to savepoint operation', [])
    handle.outbox?.splice(recorded)
    return { error }
  }
}
