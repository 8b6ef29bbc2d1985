import { styleText } from 'node:util'

/** A text table with aligned columns. */
export const table = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  stream: NodeJS.WritableStream,
): string => {
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  return [styleText('bold', line(headings), { stream }), ...rows.map(line)].map((text) => `  ${text}\n`).join('')
}
