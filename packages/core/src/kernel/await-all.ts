/**
 * Waits for independent work that was started together. Its statements share round trips on PostgreSQL.
 *
 * Rejects with the first error, but only after all work has ended: no statement may follow the end of its transaction.
 */
export const awaitAll = async <T extends readonly unknown[]>(
  work: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  try {
    return await Promise.all(work)
  } finally {
    await Promise.allSettled(work)
  }
}
