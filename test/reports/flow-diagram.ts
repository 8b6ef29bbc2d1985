import { drawImage, drawText } from './svg.ts'

/** A box with a title and up to two lines of details. Positions and sizes are pixels. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly title: string
  readonly details?: readonly string[]
}

/** A line with an arrowhead at its last point. */
export interface Arrow {
  readonly points: readonly (readonly [number, number])[]
  readonly label?: { readonly x: number; readonly y: number; readonly text: string }
}

export interface FlowDiagram {
  readonly title: string
  readonly description: string
  readonly height: number
  /** Dashed frames around boxes. */
  readonly frames: readonly (Box & { readonly height: number })[]
  readonly boxes: readonly Box[]
  readonly arrows: readonly Arrow[]
}

const width = 760
export const boxHeight = 58

/** Colors with enough contrast on light and on dark pages; the page is the background. */
const style = `
text{font:12px system-ui,sans-serif;fill:#1f2328}
.t{font-size:15px;font-weight:600}
.n{font-weight:600}
.d{font-size:11px;fill:#59636e}
.b{fill:#f6f8fa;stroke:#818b98}
.f{fill:none;stroke:#8250df;stroke-dasharray:5 4}
.a{fill:none;stroke:#59636e;stroke-width:1.5}
.h{fill:#59636e}
@media(prefers-color-scheme:dark){
text{fill:#e6edf3}.d{fill:#9da7b3}.b{fill:#151b23;stroke:#656c76}.f{stroke:#ab7df8}.a{stroke:#9da7b3}.h{fill:#9da7b3}}`

const drawBox = ({ x, y, width: boxWidth, title, details = [] }: Box): string[] => {
  const center = x + boxWidth / 2
  const top = y + boxHeight / 2 + 4 - details.length * 8
  return [
    `<rect class="b" x="${x}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6"/>`,
    drawText(center, top, title, ' class="n" text-anchor="middle"'),
    ...details.map((line, at) => drawText(center, top + 16 * (at + 1), line, ' class="d" text-anchor="middle"')),
  ]
}

const drawFrame = ({ x, y, width: frameWidth, height, title }: FlowDiagram['frames'][number]): string[] => [
  `<rect class="f" x="${x}" y="${y}" width="${frameWidth}" height="${height}" rx="8"/>`,
  drawText(x + 10, y + 18, title, ' class="n"'),
]

const arrowheadSize = 5

const drawArrow = ({ points, label }: Arrow): string[] => {
  const [end, before] = points.toReversed() as [readonly [number, number], readonly [number, number]]
  const [x, y] = end
  const [dx, dy] = [Math.sign(x - before[0]), Math.sign(y - before[1])]
  const [backX, backY] = [x - dx * arrowheadSize * 2, y - dy * arrowheadSize * 2]
  const [sideX, sideY] = [dy * arrowheadSize, dx * arrowheadSize]
  return [
    `<polyline class="a" points="${points.map((point) => point.join(',')).join(' ')}"/>`,
    `<polygon class="h" points="${x},${y} ${backX + sideX},${backY + sideY} ${backX - sideX},${backY - sideY}"/>`,
    ...(label ? [drawText(label.x, label.y, label.text, ' class="d"')] : []),
  ]
}

/** Draws boxes and arrows as an SVG image for light and dark pages. */
export const drawFlowDiagram = ({ title, description, height, frames, boxes, arrows }: FlowDiagram): string =>
  drawImage({
    title,
    description,
    width,
    height,
    style,
    elements: [...frames.flatMap(drawFrame), ...arrows.flatMap(drawArrow), ...boxes.flatMap(drawBox)],
  })
