/**
 * Calls `work` for every item, at most `limit` at once, and returns the results in the order of the items. After a failure it
 * starts no further calls, waits for the running ones and then rejects with the first error.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  let next = 0
  const failures: unknown[] = []
  const worker = async () => {
    while (next < items.length && !failures.length) {
      const index = next++
      try {
        results[index] = await work(items[index] as T)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  if (failures.length) throw failures[0]
  return results
}
