import { type Html, html } from '../html.ts'

/** Lines of a file; the rest is only in the raw file. */
const maxLines = 20_000

/** Bytes. */
const maxTextSize = 1024 * 1024

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text of a file; undefined for binary and for large files. */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  if (bytes.length > maxTextSize || bytes.includes(0)) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Text with line numbers; `#L10` is the tenth line. */
export const codeLines = (fullText: string): Html => {
  const text = fullText.slice(0, maxTextSize).toWellFormed()
  const lines = text.replace(/\n$/, '').split('\n')
  return html`<div class="code" role="region" aria-label="File content" tabindex="0"><pre>${lines
    .slice(0, maxLines)
    .map(
      (line, index) =>
        html`<span class="line" id="L${index + 1}"><a href="#L${index + 1}" tabindex="-1">${index + 1}</a>${line.replace(/\r$/, '')}
</span>`,
    )}</pre></div>
${lines.length > maxLines && html`<p class="note">Only the first ${maxLines} of ${lines.length} lines are shown.</p>`}${text.length < fullText.length && html`<p class="note">Only the first ${formatSize(maxTextSize)} are shown.</p>`}`
}

/** A size for display. */
export const formatSize = (bytes: number): string => {
  if (bytes < 1_024) return `${bytes} bytes`
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`
}
