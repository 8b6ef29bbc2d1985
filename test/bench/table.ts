/** One line of a result: its subject, its values, and whether it meets its target. */
export interface Line {
  readonly what: string
  /** Values in the order of the table's columns. */
  readonly values: readonly (string | number)[]
  /** The target as text, `>= 0.85`; absent for informational lines. */
  readonly target?: string
  readonly met?: boolean
}

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly lines: readonly Line[]
  readonly notes?: readonly string[]
}

const formatValue = (value: string | number) => {
  if (typeof value === 'string') return value
  if (!Number.isFinite(value)) return String(value)
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}

const verdict = ({ target, met }: Line) => (target === undefined ? '' : met ? 'met' : 'MISSED')

/** Formats a table as Markdown with aligned columns. */
export const formatTable = ({ title, columns, lines, notes = [] }: Table): string => {
  const head = ['', ...columns, 'target', '']
  const rows = lines.map((line) => [line.what, ...line.values.map(formatValue), line.target ?? '', verdict(line)])
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => (row[at] ?? '').length)))
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at ? cell.padStart(widths[at] as number) : cell.padEnd(widths[at] as number))).join(' | ')} |`
  const rule = `|${widths.map((width, at) => (at ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`
  return [`## ${title}`, '', row(head), rule, ...rows.map(row), '', ...notes.map((note) => `${note}\n`)].join('\n')
}

/** A line whose target is a minimum. */
export const atLeast = (what: string, values: readonly (string | number)[], value: number, least: number): Line => ({
  what,
  values,
  target: `>= ${least}`,
  met: value >= least,
})

/** A line whose target is a maximum. */
export const atMost = (what: string, values: readonly (string | number)[], value: number, most: number): Line => ({
  what,
  values,
  target: `<= ${most}`,
  met: value <= most,
})
