/**
 * Does the work for every item, at most `limit` at once; results stand in the order of the items. After a failure nothing new
 * is begun, and it is thrown once everything that was begun has ended: no work goes on behind the caller's back.
 */
export async function eachOf<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  let next = 0
  const failures: unknown[] = []
  const worker = async () => {
    while (next < items.length && !failures.length) {
      const at = next++
      try {
        results[at] = await work(items[at] as T)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  if (failures.length) throw failures[0]
  return results
}
