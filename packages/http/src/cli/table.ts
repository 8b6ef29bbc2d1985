import { styleText } from 'node:util'

/** Rows under headings, in columns as wide as their widest cell. */
export const table = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  stream: NodeJS.WritableStream,
): string => {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [styleText('bold', line(headings), { stream }), ...rows.map(line)].map((text) => `  ${text}\n`).join('')
}
