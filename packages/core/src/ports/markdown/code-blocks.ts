import type { Env, MarkdownIt, StateCore } from 'markdown-it'
import { createDiagramUrl } from './diagram.ts'
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

/** Sets the server that draws the diagrams of the text that is rendered with `environment`. */
export const setDiagramServer = (environment: Env, url: string | undefined): void => {
  environment.diagramServer = url
}

/** The image of a diagram; undefined for other code, without a server, and for a diagram that is too long. */
const diagram = (source: string, language: string, server: unknown): string | undefined => {
  if (language !== 'plantuml' || typeof server !== 'string') return undefined
  const url = createDiagramUrl(server, source)
  return url && `<p><img class="plantuml" src="${escapeHtml(url)}" alt="Diagram"></p>\n`
}

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

/** Adds the language to code blocks, marks formulas and diagrams, and replaces those that a server draws. */
export const withCodeBlocks = (parser: MarkdownIt): void => {
  parser.core.ruler.after('inline', 'formulas', markFormulas)
  parser.renderer.rules.code_block = (tokens, index) => block(tokens[index]?.content ?? '', '')
  parser.renderer.rules.fence = (tokens, index, _options, environment) => {
    const { content = '', info = '' } = tokens[index] ?? {}
    const language = languageOf(parser.utils.unescapeAll(info))
    return diagram(content, language, environment?.diagramServer) ?? block(content, language)
  }
}
