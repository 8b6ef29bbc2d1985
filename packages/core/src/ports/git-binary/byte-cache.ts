/** Values that are cheap to forget, the least recently used first, within a number of bytes. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined
  /** A value that alone is larger than an eighth of the cache is not kept. */
  set(key: string, value: Value, bytes: number): void
  /** Forgets everything whose key begins so. */
  drop(prefix: string): void
}

/** What a map entry itself takes, about. */
const overhead = 150

export const byteCache = <Value>(limit: number): ByteCache<Value> => {
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>()
  let used = 0

  const remove = (key: string) => {
    used -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    get: (key) => {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set: (key, value, size) => {
      const bytes = size + overhead + key.length
      remove(key)
      if (bytes > limit / 8) return
      entries.set(key, { value, bytes })
      used += bytes
      for (const oldest of entries.keys()) {
        if (used <= limit) break
        remove(oldest)
      }
    },
    drop: (prefix) => {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) remove(key)
    },
  }
}
