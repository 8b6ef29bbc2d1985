/** Rendered lines; those that nobody asked for in a while are dropped first. */
interface RenderedLines {
  get(text: string): string | undefined
  set(text: string, html: string): void
}

/** Kept beside the characters of an entry by the map, roughly. */
const entryBytes = 100

const sizeOf = (text: string, html: string) => 2 * (text.length + html.length) + entryBytes

/**
 * Holds at most `bytes` of texts and their HTML, in two generations: when the younger one has half of the bytes it becomes
 * the older one, and what is asked for there moves on. So an answer costs one look-up, not a change of order. An entry over
 * an eighth of the bytes is not kept at all.
 */
export const renderedLines = (bytes: number): RenderedLines => {
  let young = new Map<string, string>()
  let old = new Map<string, string>()
  let held = 0
  const keep = (text: string, html: string) => {
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
      if (aged !== undefined) keep(text, aged)
      return aged
    },
    set: keep,
  }
}
