import type { MarkdownIt, StateCore } from 'markdown-it'

const alignments: Readonly<Record<string, string>> = {
  'text-align:left': 'left',
  'text-align:center': 'center',
  'text-align:right': 'right',
}

/** markdown-it aligns cells by a style; GFM uses the `align` attribute, and the allow-list has no styles. */
const alignByAttribute = ({ tokens }: StateCore): void => {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const alignment = alignments[String(token.attrGet('style') ?? '')]
    if (alignment !== undefined) token.attrs = [['align', alignment]]
  }
}

/** Tables with aligned columns (GFM 4.10). */
export const withTables = (parser: MarkdownIt): void => {
  parser.block.ruler.enable('table')
  parser.core.ruler.after('block', 'cell_alignment', alignByAttribute)
}
