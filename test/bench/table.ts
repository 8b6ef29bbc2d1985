interface TargetDetails {
  /** The unit of the value; without it, the value is a ratio. */
  readonly unit?: string
  /** What the value is compared with, if that differs from the table's reference. */
  readonly reference?: string
  /** Why the target may be missed; the report shows it only if it is. */
  readonly reason?: string
}

/** One line of a result: its subject, its values, and whether it meets its target. */
export interface Line extends TargetDetails {
  readonly what: string
  /** Values in the order of the table's columns. */
  readonly values: readonly (string | number)[]
  /** The value that is compared with the target. */
  readonly value?: number
  /** The target as text, `>= 0.85`; omitted for informational lines. */
  readonly target?: string
  readonly met?: boolean
}

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly lines: readonly Line[]
  /** What the values are compared with. */
  readonly reference?: string
  readonly notes?: readonly string[]
}

export const formatValue = (value: string | number) => {
  if (typeof value === 'string') return value
  if (!Number.isFinite(value)) return String(value)
  if (Number.isInteger(value)) return value.toLocaleString('en')
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}

const verdict = ({ target, met }: Line) => (target === undefined ? '' : met ? 'met' : 'MISSED')

/** Longer cells are not aligned. */
const maxWidth = 100

const isNumeric = (cell: string) => /^([<>≤≥]=? )?-?[\d.,]+\b|^$/.test(cell)

/** Formats rows as a Markdown table with aligned columns. Columns of numbers are right-aligned. */
export const formatRows = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((cell, at) =>
    Math.min(maxWidth, Math.max(3, cell.length, ...rows.map((row) => (row[at] ?? '').length))),
  )
  const isRight = head.map((_, at) => rows.length > 0 && rows.every((row) => isNumeric(row[at] ?? '')))
  const pad = (cell: string, at: number) =>
    isRight[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
  const row = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`
  const rule = `|${widths.map((width, at) => (isRight[at] ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`
  return [row(head), rule, ...rows.map(row)].join('\n')
}

/** Formats a table as Markdown below a heading of the given level. */
export const formatTable = ({ title, columns, lines, notes = [] }: Table, level = 2): string => {
  const hasTargets = lines.some(({ target }) => target !== undefined)
  const head = ['', ...columns, ...(hasTargets ? ['target', ''] : [])]
  const rows = lines.map((line) => [
    line.what,
    ...line.values.map(formatValue),
    ...(hasTargets ? [line.target ?? '', verdict(line)] : []),
  ])
  return [`${'#'.repeat(level)} ${title}`, '', formatRows(head, rows), '', ...notes.map((note) => `${note}\n`)].join(
    '\n',
  )
}

/** A line whose target is a minimum. */
export const atLeast = (
  what: string,
  values: readonly (string | number)[],
  value: number,
  least: number,
  details: TargetDetails = {},
): Line => ({ what, values, value, target: `>= ${least}`, met: value >= least, ...details })

/** A line whose target is a maximum. */
export const atMost = (
  what: string,
  values: readonly (string | number)[],
  value: number,
  most: number,
  details: TargetDetails = {},
): Line => ({ what, values, value, target: `<= ${most}`, met: value <= most, ...details })
