import type { Env, Token } from 'markdown-it'
import { startTimeBudget } from './limits.ts'
import { getParser } from './parsers.ts'
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

/**
 * Distinct mentions in order of first appearance, at most 1,000. Code, links and raw HTML attributes contain no
 * mentions.
 */
export const findMentions = (text: string): readonly Mention[] => {
  if (!text.includes('@')) return []
  const environment: Env = {}
  startTimeBudget(environment, 1_000)
  collectReferences(environment, { references: createReferenceCollector(), baseUrl: undefined })
  const tokens = getParser('platform').parse(text, environment)
  const addressed = addressedIn(tokens)
  const found = new Map<string, Mention>()
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const name = mentioned(token)
    const key = name?.toLowerCase()
    if (name === undefined || key === undefined || found.has(key)) continue
    found.set(key, { name, addressed: addressed.has(key) })
  }
  return [...found.values()]
}
