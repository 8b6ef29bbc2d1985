import type { Handle } from './store.ts'

/**
 * Something that is read from few rows, asked for often and changed rarely. The object itself is what it is known by:
 * define it once, at the top of a file. What it reads is shared by all calls and must not be changed.
 */
export interface Remembered<T> {
  read(handle: Handle): Promise<T>
}

/** What a platform keeps between calls, so that asking for it again costs no query. */
export interface Memory {
  /** Its value as committed; to a transaction that has changed it (`changed`), its value there. */
  recall<T>(handle: Handle, changed: ReadonlySet<Remembered<unknown>>, of: Remembered<T>): Promise<T>
  /** To be called after the commit of whatever changed these. */
  forget(changed: ReadonlySet<Remembered<unknown>>): void
  /** All that was ever forgotten; for the memory of a transaction, whose commit is to be told to others. */
  readonly forgotten: ReadonlySet<Remembered<unknown>>
}

interface Kept {
  readonly value: unknown
  readonly mark: number
}

const everySecond = () => Math.floor(performance.now() / 1_000)

/**
 * @param foreign differs whenever somebody else may have written; without it nothing is kept for longer than a second
 */
export const memoryOf = (foreign: () => number = everySecond): Memory => {
  const kept = new Map<Remembered<unknown>, Kept>()
  const forgotten = new Set<Remembered<unknown>>()
  let generation = 0
  return {
    forgotten,
    async recall<T>(handle: Handle, changed: ReadonlySet<Remembered<unknown>>, of: Remembered<T>): Promise<T> {
      if (changed.has(of)) return of.read(handle)
      const mark = foreign()
      const known = kept.get(of)
      if (known?.mark === mark) return known.value as T
      const before = generation
      const value = await of.read(handle)
      // What was read while somebody else committed may be the old value.
      if (generation === before) kept.set(of, { value, mark })
      return value
    },
    forget(changed) {
      if (changed.size) generation++
      for (const of of changed) {
        kept.delete(of)
        forgotten.add(of)
      }
    },
  }
}
