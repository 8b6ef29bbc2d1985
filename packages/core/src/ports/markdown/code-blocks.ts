import type { MarkdownIt, StateCore } from 'markdown-it'
import { escapeHtml } from './escape-html.ts'

/** Languages that the page may render as formulas or diagrams. */
const drawn: Readonly<Record<string, string>> = {
  math: ' class="code math js-render-math" data-math-style="display"',
  mermaid: ' class="code js-render-mermaid"',
}

const block = (source: string, language: string): string => {
  const attributes = Object.hasOwn(drawn, language) ? drawn[language] : ' class="code"'
  const code = escapeHtml(source)
  if (language === '') return `<pre${attributes}><code>${code}</code></pre>\n`
  return `<pre${attributes} lang="${language}"><code class="language-${language}">${code}</code></pre>\n`
}

/** The first word of the info string, or an empty string when it is not a plain language name. */
const languageOf = (info: string): string => /^\s*([A-Za-z0-9_+#.-]{1,64})(?:\s|$)/.exec(info)?.[1] ?? ''

/** Inline code between two `$` is a formula. */
const markFormulas = ({ tokens }: StateCore): void => {
  for (const { type, children } of tokens) {
    if (type !== 'inline' || !children) continue
    for (const [index, token] of children.entries()) {
      const before = children[index - 1]
      const after = children[index + 1]
      if (token.type !== 'code_inline' || before?.type !== 'text' || after?.type !== 'text') continue
      if (!before.content.endsWith('$') || !after.content.startsWith('$')) continue
      before.content = before.content.slice(0, -1)
      after.content = after.content.slice(1)
      token.attrs = [
        ['class', 'code math js-render-math'],
        ['data-math-style', 'inline'],
      ]
    }
  }
}

/** Adds the language to code blocks and marks formulas and diagrams. */
export const withCodeBlocks = (parser: MarkdownIt): void => {
  parser.core.ruler.after('inline', 'formulas', markFormulas)
  parser.renderer.rules.code_block = (tokens, index) => block(tokens[index]?.content ?? '', '')
  parser.renderer.rules.fence = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {}
    return block(content, languageOf(parser.utils.unescapeAll(info)))
  }
}
