import type { Env, MarkdownIt, StateBlock, StateCore } from 'markdown-it'

/** Maximum nesting of lists and quotes. */
const maxDepth = 20

/** Limits parsing to `milliseconds` from now. The rest of the text becomes plain text. */
export const startTimeBudget = (environment: Env, milliseconds: number): void => {
  environment.deadline = performance.now() + milliseconds
}

const isBudgetSpent = ({ deadline }: Env) => typeof deadline === 'number' && performance.now() > deadline

const depthOf = ({ depth }: Env) => (typeof depth === 'number' ? depth : 0)

type BlockRule = ReturnType<MarkdownIt['block']['ruler']['getRules']>[number]

/** markdown-it has no lookup by name: returns the rule that is missing when the name is disabled. */
const findRule = ({ ruler }: MarkdownIt['block'], name: string): BlockRule => {
  const all = ruler.getRules('')
  ruler.disable(name)
  const others = new Set(ruler.getRules(''))
  ruler.enable(name)
  const rule = all.find((each) => !others.has(each))
  if (!rule) throw new Error(`No block rule is called ${name}`)
  return rule
}

/** Wraps a rule to count nesting depth. `alt` lists the rules that it can interrupt. */
const countDepth = ({ block }: MarkdownIt, name: string, alt: string[]): void => {
  const rule = findRule(block, name)
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

/** Parses the lines up to the next blank one as a paragraph, without block markup. */
const paragraphAsIs = (state: StateBlock, startLine: number, endLine: number): boolean => {
  if (depthOf(state.env) < maxDepth && !isBudgetSpent(state.env)) return false
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
    if (isBudgetSpent(env)) {
      const text = new Token('text', '', 0)
      text.content = token.content
      token.children.push(text)
    } else md.inline.parse(token.content, md, env, token.children)
  }
}

/**
 * Bounds the cost of parsing: blocks below the nesting limit, and the rest of the text when the time budget is spent,
 * become plain text. No text is dropped.
 */
export const withLimits = (parser: MarkdownIt): void => {
  countDepth(parser, 'blockquote', ['paragraph', 'reference', 'blockquote', 'list'])
  countDepth(parser, 'list', ['paragraph', 'reference', 'blockquote'])
  parser.block.ruler.before('table', 'paragraph_as_is', paragraphAsIs)
  parser.core.ruler.at('inline', inlineWithinBudget)
}
