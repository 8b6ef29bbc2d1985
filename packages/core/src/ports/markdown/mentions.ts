import type { Env, Token } from 'markdown-it'
import { createRenderBudget, type RenderBudget, RenderLimitError } from './budget.ts'
import { setLimits } from './limits.ts'
import { prepareParser } from './parsers.ts'
import { createReferenceCollector } from './reference.ts'
import { collectReferences, getWrittenReference } from './reference-rule.ts'

/** A user or group that a text mentions. */
export interface Mention {
  /** As written, without the `@`. Names compare without regard to case. */
  readonly name: string
  /** True when the text starts with this mention, or with several mentions that include it. */
  readonly addressed: boolean
}

const mentioned = (token: Token): string | undefined => {
  const reference = getWrittenReference(token)?.reference
  return reference?.kind === 'user' ? reference.value : undefined
}

/** Lower-case names of the mentions at the start of the text, separated by white space only. */
const addressedIn = (tokens: readonly Token[]): Set<string> => {
  const names = new Set<string>()
  const [first, inline] = tokens
  if (first?.type !== 'paragraph_open') return names
  for (const token of inline?.children ?? []) {
    const name = mentioned(token)
    if (name !== undefined) names.add(name.toLowerCase())
    else if (token.type !== 'softbreak' && (token.type !== 'text' || token.content.trim() !== '')) break
  }
  return names
}

/** Milliseconds for both texts of a call. Commands parse in the event loop, because a transaction awaits only its store. */
const timeBudget = 200

const parseMentions = (text: string, budget: RenderBudget): Map<string, Mention> => {
  const found = new Map<string, Mention>()
  if (!text.includes('@')) return found
  const parser = prepareParser(text, 'platform')
  const environment: Env = {}
  setLimits(environment, { budget, onlyBlocksWith: '@' })
  collectReferences(environment, { references: createReferenceCollector(), baseUrl: undefined })
  const tokens = budget.run(() => parser.parse(text, environment))
  const addressed = addressedIn(tokens)
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const name = mentioned(token)
    const key = name?.toLowerCase()
    if (name === undefined || key === undefined || found.has(key)) continue
    found.set(key, { name, addressed: addressed.has(key) })
  }
  return found
}

/**
 * Distinct mentions that the text `before` does not contain, in order of first appearance, at most 1,000. Code, links and raw
 * HTML attributes contain no mentions. Texts that take longer than 200 milliseconds to parse mention nobody.
 */
export const findMentions = (text: string, before = '', milliseconds = timeBudget): readonly Mention[] => {
  const budget = createRenderBudget(milliseconds, Number.POSITIVE_INFINITY)
  try {
    const found = parseMentions(text, budget)
    if (found.size > 0) for (const key of parseMentions(before, budget).keys()) found.delete(key)
    return [...found.values()]
  } catch (error) {
    if (error instanceof RenderLimitError) return []
    throw error
  }
}
