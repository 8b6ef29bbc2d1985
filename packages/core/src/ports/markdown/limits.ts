import type { Env, MarkdownIt, StateBlock, StateCore } from 'markdown-it'

/** Lists and quotes that may lie within each other. */
const deepest = 20

/** Gives one reading `milliseconds` from now; what is left after that becomes plain text. */
export const startBudget = (environment: Env, milliseconds: number): void => {
  environment.deadline = performance.now() + milliseconds
}

const isSpent = ({ deadline }: Env) => typeof deadline === 'number' && performance.now() > deadline

const depthOf = ({ depth }: Env) => (typeof depth === 'number' ? depth : 0)

type BlockRule = ReturnType<MarkdownIt['block']['ruler']['getRules']>[number]

/** The rule of that name: the one that is missing when the name is switched off. */
const ruleNamed = ({ ruler }: MarkdownIt['block'], name: string): BlockRule => {
  const all = ruler.getRules('')
  ruler.disable(name)
  const others = new Set(ruler.getRules(''))
  ruler.enable(name)
  const rule = all.find((each) => !others.has(each))
  if (!rule) throw new Error(`No block rule is called ${name}`)
  return rule
}

/** The same rule, counting how deep the text is while it reads what lies inside. `alt` names what it can interrupt. */
const countDepth = ({ block }: MarkdownIt, name: string, alt: string[]): void => {
  const rule = ruleNamed(block, name)
  const counted: BlockRule = (state, startLine, endLine, silent) => {
    if (silent) return rule(state, startLine, endLine, true)
    const depth = depthOf(state.env)
    state.env.depth = depth + 1
    const matched = rule(state, startLine, endLine, false)
    state.env.depth = depth
    return matched
  }
  block.ruler.at(name, counted, { alt })
}

/** Takes the lines up to the next blank one as a paragraph, whatever they look like. */
const paragraphAsIs = (state: StateBlock, startLine: number, endLine: number): boolean => {
  if (depthOf(state.env) < deepest && !isSpent(state.env)) return false
  let line = startLine + 1
  while (line < endLine && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent) line++
  state.line = line
  state.push('paragraph_open', 'p', 1).map = [startLine, line]
  const inline = state.push('inline', '', 0)
  inline.content = state.md.utils.asciiTrim(state.getLines(startLine, line, state.blkIndent, false))
  inline.map = [startLine, line]
  inline.children = []
  state.push('paragraph_close', 'p', -1)
  return true
}

const inlineWithinBudget = ({ tokens, md, env, Token }: StateCore): void => {
  for (const token of tokens) {
    if (token.type !== 'inline') continue
    token.children ??= []
    if (token.content === '') continue
    if (isSpent(env)) {
      const text = new Token('text', '', 0)
      text.content = token.content
      token.children.push(text)
    } else md.inline.parse(token.content, md, env, token.children)
  }
}

/**
 * Keeps the work in proportion to the text: blocks below the nesting limit, and everything that is left when the time
 * budget of a reading is spent, are shown as they were written. Nothing is dropped.
 */
export const withLimits = (parser: MarkdownIt): void => {
  countDepth(parser, 'blockquote', ['paragraph', 'reference', 'blockquote', 'list'])
  countDepth(parser, 'list', ['paragraph', 'reference', 'blockquote'])
  parser.block.ruler.before('table', 'paragraph_as_is', paragraphAsIs)
  parser.core.ruler.at('inline', inlineWithinBudget)
}
