/** Rendered lines, the least recently asked for dropped first. */
interface RenderedLines {
  get(text: string): string | undefined
  set(text: string, html: string): void
}

/** Kept beside the characters of an entry by the map, roughly. */
const entryBytes = 100

const sizeOf = (text: string, html: string) => 2 * (text.length + html.length) + entryBytes

/** Holds at most `bytes` of texts and their HTML; an entry over an eighth of that is not kept at all. */
export const renderedLines = (bytes: number): RenderedLines => {
  const lines = new Map<string, string>()
  let held = 0
  const drop = (text: string) => {
    const html = lines.get(text)
    if (html === undefined) return
    lines.delete(text)
    held -= sizeOf(text, html)
  }
  return {
    get: (text) => {
      const html = lines.get(text)
      if (html === undefined) return undefined
      lines.delete(text)
      lines.set(text, html)
      return html
    },
    set: (text, html) => {
      const size = sizeOf(text, html)
      if (size > bytes / 8) return
      drop(text)
      lines.set(text, html)
      held += size
      for (const oldest of lines.keys()) {
        if (held <= bytes) return
        drop(oldest)
      }
    },
  }
}
