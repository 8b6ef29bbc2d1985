import type { Env, Token } from 'markdown-it'
import { startBudget } from './limits.ts'
import { parserOf } from './parsers.ts'
import { references } from './reference.ts'
import { collectReferences, writtenReference } from './reference-rule.ts'

/** A user, or a group by its path, that a text speaks to or of. */
export interface Mention {
  /** As written, without the `@`. Names compare without regard to case. */
  readonly name: string
  /** True when the text begins with it, or with a row of mentions that it is part of. */
  readonly addressed: boolean
}

const mentioned = (token: Token): string | undefined => {
  const reference = writtenReference(token)?.reference
  return reference?.kind === 'user' ? reference.value : undefined
}

/** The mentions at the very start, with nothing but blanks between them. */
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
 * Whom a text mentions, in order of first appearance and each once. Code, links and raw HTML attributes mention nobody.
 * At most 1,000 names of a text are found.
 */
export const mentions = (text: string): readonly Mention[] => {
  if (!text.includes('@')) return []
  const environment: Env = {}
  startBudget(environment, 1_000)
  collectReferences(environment, { references: references(), baseUrl: undefined })
  const tokens = parserOf('platform').parse(text, environment)
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
