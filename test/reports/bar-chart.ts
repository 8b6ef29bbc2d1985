import { drawImage, drawText } from './svg.ts'

/** One row of bars: a bar for each series. */
export interface BarGroup {
  readonly label: string
  /** Values in the order of the series, each with its text. */
  readonly bars: readonly { readonly value: number; readonly text: string }[]
}

export interface BarChart {
  readonly title: string
  /** What the chart shows, for readers who do not see it. */
  readonly description: string
  readonly series: readonly string[]
  readonly groups: readonly BarGroup[]
  /** A vertical line at a value, such as a target. */
  readonly limit?: { readonly value: number; readonly text: string }
}

/** Pixels. */
const width = 760
const labelWidth = 190
const textWidth = 150
const barHeight = 12
const groupGap = 10
const top = 58

/** Colors with enough contrast on light and on dark pages; the page is the background. */
const style = `
text{font:12px system-ui,sans-serif;fill:#1f2328}
.t{font-size:15px;font-weight:600}
.s0{fill:#8250df}.s1{fill:#0969da}
.l{stroke:#cf222e;stroke-dasharray:4 3}
.lt{fill:#cf222e}
@media(prefers-color-scheme:dark){
text{fill:#e6edf3}.s0{fill:#ab7df8}.s1{fill:#4493f8}.l{stroke:#f85149}.lt{fill:#f85149}}`

const round = (value: number) => Math.round(value * 10) / 10

/** Draws horizontal bars as an SVG image for light and dark pages. */
export const drawBarChart = ({ title, description, series, groups, limit }: BarChart): string => {
  const largest = Math.max(limit?.value ?? 0, ...groups.flatMap(({ bars }) => bars.map(({ value }) => value)))
  const scale = (width - labelWidth - textWidth) / (largest || 1)
  const groupHeight = series.length * barHeight + groupGap
  const height = top + groups.length * groupHeight + (limit ? 20 : 4)
  const legend = series.flatMap((name, at) => [
    `<rect class="s${at}" x="${labelWidth + at * 220}" y="32" width="12" height="12"/>`,
    drawText(labelWidth + 18 + at * 220, 42, name),
  ])
  const rows = groups.flatMap(({ label, bars }, row) => {
    const y = top + row * groupHeight
    return [
      drawText(labelWidth - 8, y + (bars.length * barHeight) / 2 + 4, label, ' text-anchor="end"'),
      ...bars.flatMap(({ value, text: content }, at) => [
        `<rect class="s${at}" x="${labelWidth}" y="${y + at * barHeight}" width="${round(value * scale)}" height="${barHeight - 2}"/>`,
        drawText(round(labelWidth + value * scale + 6), y + at * barHeight + 9, content, ' font-size="11"'),
      ]),
    ]
  })
  const line = limit && round(labelWidth + limit.value * scale)
  const limitLine = limit
    ? [
        `<line class="l" x1="${line}" x2="${line}" y1="${top - 4}" y2="${height - 18}"/>`,
        drawText(line as number, height - 5, limit.text, ' class="lt" text-anchor="middle"'),
      ]
    : []
  return drawImage({ title, description, width, height, style, elements: [...legend, ...limitLine, ...rows] })
}
