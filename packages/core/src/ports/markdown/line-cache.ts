/** Cached HTML of single lines, least recently used first out. */
interface LineCache {
  get(text: string): string | undefined
  set(text: string, html: string): void
}

/** Approximate bytes of a map entry in addition to its characters. */
const entryBytes = 100

const sizeOf = (text: string, html: string) => 2 * (text.length + html.length) + entryBytes

/**
 * A cache of at most `bytes` in two generations: when the young one reaches half of the bytes, it becomes the old one.
 * A hit in the old generation moves the entry to the young one, so most hits cost one lookup. Entries larger than an
 * eighth of the bytes are not cached.
 */
export const createLineCache = (bytes: number): LineCache => {
  let young = new Map<string, string>()
  let old = new Map<string, string>()
  let held = 0
  const store = (text: string, html: string) => {
    const size = sizeOf(text, html)
    if (size > bytes / 8 || young.has(text)) return
    if (held + size > bytes / 2) {
      old = young
      young = new Map()
      held = 0
    }
    young.set(text, html)
    held += size
  }
  return {
    get(text) {
      const html = young.get(text)
      if (html !== undefined) return html
      const aged = old.get(text)
      if (aged !== undefined) store(text, aged)
      return aged
    },
    set: store,
  }
}
