import type { Handle, Soon } from './store.ts'

/**
 * Something that is read from few rows, asked for often and changed rarely. The object itself is what it is known by:
 * define it once, at the top of a file. What it reads is shared by all calls and must not be changed.
 */
export interface Remembered<T> {
  read(handle: Handle): Promise<T>
}

/** What a transaction has changed of all that is remembered; undefined where that is nothing, as nearly always. */
export type Changed = ReadonlySet<Remembered<unknown>> | undefined

/** What a platform keeps between calls, so that asking for it again costs no query. */
export interface Memory {
  /** Its value as committed; to a transaction that has changed it (`changed`), its value there. */
  recall<T>(handle: Handle, changed: Changed, of: Remembered<T>): Soon<T>
  /** To be called after the commit of whatever changed these. */
  forget(changed: Changed): void
  /** All that was ever forgotten; for the memory of a transaction, whose commit is to be told to others. */
  readonly forgotten: ReadonlySet<Remembered<unknown>>
}

interface Kept {
  readonly value: unknown
  readonly mark: unknown
}

/** Where nobody can tell whether others have written, nothing is kept for longer than a second. */
const second = () => Math.floor(performance.now() / 1_000)

export const memoryOf = (): Memory => {
  const kept = new Map<Remembered<unknown>, Kept>()
  const forgotten = new Set<Remembered<unknown>>()
  let generation = 0
  const read = async <T>(handle: Handle, of: Remembered<T>, mark: unknown): Promise<T> => {
    const before = generation
    const value = await of.read(handle)
    // What was read while somebody else committed may be the old value.
    if (generation === before) kept.set(of, { value, mark })
    return value
  }
  return {
    forgotten,
    recall<T>(handle: Handle, changed: Changed, of: Remembered<T>): Soon<T> {
      if (changed?.has(of)) return of.read(handle)
      const mark = handle.epoch?.() ?? second()
      const known = kept.get(of)
      return known?.mark === mark ? (known.value as T) : read(handle, of, mark)
    },
    forget(changed) {
      if (!changed) return
      generation++
      for (const of of changed) {
        kept.delete(of)
        forgotten.add(of)
      }
    },
  }
}
