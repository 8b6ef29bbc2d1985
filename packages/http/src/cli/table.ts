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

/** The text of a value in a table; empty for an omitted one. */
export const formatCell = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(formatCell).join(' ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const printJson = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`)
}
