import type { Label } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'

/** Colors of labels by name. */
export type LabelColors = ReadonlyMap<string, string>

export const toLabelColors = (labels: readonly Pick<Label, 'name' | 'color'>[]): LabelColors =>
  new Map(labels.map(({ name, color }) => [name, color]))

/** The color is an attribute of an SVG: the content security policy permits no inline styles. */
export const label = (name: string, color: string | undefined): Html =>
  html`<span class="label"><svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4.5" fill="${color ?? '#888888'}"/></svg>${name}</span>`

/** The labels of an issue or merge request, with links to lists of issues with the label. */
export const labelList = ({
  names,
  colors,
  listUrl,
}: {
  readonly names: readonly string[]
  readonly colors: LabelColors
  readonly listUrl: string
}): Html | false =>
  names.length > 0 &&
  html`<span class="labels">${names.map(
    (name) =>
      html` <a href="${listUrl}?${new URLSearchParams({ label: name }).toString()}">${label(name, colors.get(name))}</a>`,
  )}</span>`
