import type { Env } from 'markdown-it'
import { createRenderBudget, RenderLimitError } from './budget.ts'
import { setLimits } from './limits.ts'
import { prepareParser } from './parsers.ts'
import { createReferenceCollector, type Reference } from './reference.ts'
import { collectReferences } from './reference-rule.ts'

/** Milliseconds. Commands parse in the event loop, because a transaction awaits only its store. */
const timeBudget = 200

/**
 * The distinct issues and merge requests that a text refers to, such as `#1` and `group/project!2`, in order of first appearance.
 * Code and links contain no references. Texts that take longer than 200 milliseconds to parse have none.
 */
export const findIssuableReferences = (text: string): readonly Reference[] => {
  if (!/[#!]\d/.test(text)) return []
  const budget = createRenderBudget(timeBudget, Number.POSITIVE_INFINITY)
  const parser = prepareParser(text, 'platform')
  const environment: Env = {}
  const references = createReferenceCollector()
  setLimits(environment, { budget })
  collectReferences(environment, { references, baseUrl: undefined })
  try {
    budget.run(() => parser.parse(text, environment))
  } catch (error) {
    if (error instanceof RenderLimitError) return []
    throw error
  }
  return references.all.filter(({ kind }) => kind === 'issue' || kind === 'merge_request')
}
