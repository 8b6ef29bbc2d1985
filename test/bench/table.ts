/** One line of a result: what was compared, its figures, and whether it is good enough. */
export interface Line {
  readonly what: string
  /** Figures in the order of the table's columns. */
  readonly figures: readonly (string | number)[]
  /** The demand in words, `>= 0.85`; absent for lines that only inform. */
  readonly target?: string
  readonly met?: boolean
}

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly lines: readonly Line[]
  readonly notes?: readonly string[]
}

const text = (figure: string | number) => {
  if (typeof figure === 'string') return figure
  if (!Number.isFinite(figure)) return String(figure)
  return Math.abs(figure) >= 100 ? Math.round(figure).toLocaleString('en') : figure.toFixed(2)
}

const verdict = ({ target, met }: Line) => (target === undefined ? '' : met ? 'met' : 'MISSED')

/** A table in Markdown, padded so that it reads well in a terminal too. */
export const rendered = ({ title, columns, lines, notes = [] }: Table): string => {
  const head = ['', ...columns, 'target', '']
  const rows = lines.map((line) => [line.what, ...line.figures.map(text), line.target ?? '', verdict(line)])
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => (row[at] ?? '').length)))
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at ? cell.padStart(widths[at] as number) : cell.padEnd(widths[at] as number))).join(' | ')} |`
  const rule = `|${widths.map((width, at) => (at ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`
  return [`## ${title}`, '', row(head), rule, ...rows.map(row), '', ...notes.map((note) => `${note}\n`)].join('\n')
}

/** At least `least`. */
export const atLeast = (what: string, figures: readonly (string | number)[], value: number, least: number): Line => ({
  what,
  figures,
  target: `>= ${least}`,
  met: value >= least,
})

/** At most `most`. */
export const atMost = (what: string, figures: readonly (string | number)[], value: number, most: number): Line => ({
  what,
  figures,
  target: `<= ${most}`,
  met: value <= most,
})
