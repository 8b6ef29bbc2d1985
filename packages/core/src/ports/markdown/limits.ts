import type { Env, MarkdownIt, StateBlock, StateCore, StateInline } from 'markdown-it'
import type { RenderBudget } from './budget.ts'

/** Maximum nesting of lists and quotes. */
const maxDepth = 20

/** What limits the text that is parsed with `environment`. */
interface ParseLimits {
  readonly budget?: RenderBudget | undefined
  /** Blocks without this text are not parsed further: they have no inline tokens. */
  readonly onlyBlocksWith?: string
}

export const setLimits = (environment: Env, limits: ParseLimits): void => {
  environment.limits = limits
}

const limitsOf = (environment: Env | undefined) => (environment?.limits ?? {}) as ParseLimits

/** The budget of the text that is parsed or rendered with `environment`. */
export const getBudget = (environment: Env | undefined): RenderBudget | undefined => limitsOf(environment).budget

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
  if (depthOf(state.env) < maxDepth) return false
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

/** A rule that matches nothing: the parser tries it at every position and at every line. */
const checkBudget = ({ env }: StateBlock | StateInline): false => {
  getBudget(env)?.check()
  return false
}

const parseInline = ({ tokens, md, env }: StateCore): void => {
  const { onlyBlocksWith = '' } = limitsOf(env)
  for (const token of tokens) {
    if (token.type !== 'inline') continue
    token.children ??= []
    if (token.content.includes(onlyBlocksWith)) md.inline.parse(token.content, md, env, token.children)
  }
}

/**
 * Bounds the cost of parsing: blocks below the nesting limit become plain text, and parsing fails when the budget of the text is
 * exceeded.
 */
export const withLimits = (parser: MarkdownIt): void => {
  countDepth(parser, 'blockquote', ['paragraph', 'reference', 'blockquote', 'list'])
  countDepth(parser, 'list', ['paragraph', 'reference', 'blockquote'])
  parser.block.ruler.before('table', 'paragraph_as_is', paragraphAsIs)
  parser.block.ruler.before('paragraph_as_is', 'budget', checkBudget, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  parser.inline.ruler.before('text', 'budget', checkBudget)
  parser.core.ruler.at('inline', parseInline)
}
