import { type Html, html } from '../html.ts'
import { codeLines } from './code.ts'

/** Characters of a log that a page shows: its end, which has the result. */
const maxLength = 500_000

/** Codes for colors and the cursor, and the marks of sections: `section_start:1700000000:name\r`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: logs contain them
const controlPattern = /\u001b\[[0-9;?]*[A-Za-z]|section_(?:start|end):\d+:[\w.-]+(?:\[[^\]\n]*\])?\r/g

/** A log without control codes. Lines that were overwritten, such as those of progress bars, show their last text. */
const cleanLog = (log: string): string =>
  log
    .replaceAll(controlPattern, '')
    .replaceAll('\r\n', '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')

/** The end of a log, and a link to all of it. */
export const jobLog = (log: string, rawUrl: string): Html => {
  const isCut = log.length > maxLength
  return html`<p class="muted"><a href="${rawUrl}">Complete log</a></p>
${isCut && html`<p class="note">Only the end of the log is shown.</p>`}
${codeLines(cleanLog(isCut ? log.slice(-maxLength).toWellFormed() : log))}`
}
