import type { MarkdownIt, RendererRule } from 'markdown-it'
import { escapeHtml } from './escape-html.ts'

/** `#F00` */
const hexadecimal = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i

/** `RGB(0, 255, 0)`, `HSLA(540, 70%, 50%, 0.3)` */
const functional =
  /^(?:rgb|hsl)a?\((?:\s*\d{1,3}(?:\.\d{1,4})?%?\s*,){2}\s*\d{1,3}(?:\.\d{1,4})?%?\s*(?:,\s*[01]?(?:\.\d{1,4})?\s*)?\)$/i

/** Shows the color after inline code that names one. */
export const withColorChips = (parser: MarkdownIt): void => {
  const renderCode: RendererRule = (tokens, index, _options, _environment, renderer) => {
    const token = tokens[index]
    if (!token) return ''
    const content = token.content
    const chip =
      hexadecimal.test(content) || functional.test(content)
        ? `<span class="gfm-color_chip"><span style="background-color: ${escapeHtml(content)}"></span></span>`
        : ''
    return `<code${renderer.renderAttrs(token)}>${escapeHtml(content)}${chip}</code>`
  }
  parser.renderer.rules.code_inline = renderCode
}
