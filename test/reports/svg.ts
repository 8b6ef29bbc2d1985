/** Parts that all generated images share. */

interface Image {
  readonly title: string
  /** What the image shows, for readers who do not see it. */
  readonly description: string
  /** Pixels. */
  readonly width: number
  readonly height: number
  readonly style: string
  readonly elements: readonly string[]
}

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const drawText = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}"${attributes}>${escapeText(content)}</text>`

/** An SVG image with its title above the elements. */
export const drawImage = ({ title, description, width, height, style, elements }: Image): string =>
  `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escapeText(title)}</title>`,
    `<desc id="desc">${escapeText(description)}</desc>`,
    `<style>${style}</style>`,
    drawText(0, 18, title, ' class="t"'),
    ...elements,
    '</svg>',
  ].join('\n')}\n`
