/** Characters of a recording as text. */
export const maxRecordingLength = 100_000_000

/** Requests of a recording. */
export const maxEntries = 50_000

/** Bytes of a decompressed response. */
export const maxBodyBytes = 20_000_000

/** Nesting of arrays and objects. */
const maxDepth = 200

/** Whether arrays and objects are nested deeper than any recording; checked before parsing. */
export const isNestedTooDeeply = (text: string): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}
