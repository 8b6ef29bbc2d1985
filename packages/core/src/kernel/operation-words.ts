/** The verbs that most families have: they say little about which operation is meant. */
export const commonVerbs = ['list', 'get', 'create', 'update', 'remove', 'set', 'add'] as const

const toSingular = (word: string) => (word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, ''))

/** `showTestReports` → `show`, `test`, `reports`. An acronym is one word: `createSSHKey`. */
export const splitWords = (name: string): readonly string[] =>
  name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((word) => word.toLowerCase())

/**
 * The operation that shares the most nouns with a name: `getTestReport` for `showTestReports`. An operation with an uncommon verb
 * must share that too: `cancelAutoMerge` is not `setAutoMerge`.
 *
 * @param verbs the verb of the name, and those with the same meaning
 * @param known names of operations; the words of a family before a period count as nouns
 * @param minimum how many nouns must be the same
 */
export const findByWords = (
  name: string,
  verbs: readonly string[],
  known: readonly string[],
  minimum: number,
): string | undefined => {
  const words = splitWords(name)
  const [verb = ''] = words
  // `mergeToDefault` means `merge`, whose verb is no noun.
  const wanted = new Set((known.includes(verb) ? words.slice(1) : words).map(toSingular))
  const score = (operation: string): number => {
    const [first = '', ...nouns] = splitWords(operation.slice(operation.indexOf('.') + 1))
    const family = operation.includes('.') ? splitWords(operation.slice(0, operation.indexOf('.'))) : []
    const all = new Set([...family, ...nouns].map(toSingular))
    const shared = [...all].filter((noun) => wanted.has(noun)).length
    const isOther = ![...verbs, ...wanted].includes(first) && !commonVerbs.some((common) => common === first)
    if (isOther || shared < minimum) return 0
    return 4 * shared + 2 * Number(verbs.includes(first)) - (all.size - shared)
  }
  const scored = known.map((operation) => ({ operation, score: score(operation) }))
  const best = Math.max(0, ...scored.map((one) => one.score))
  const [found, ...equal] = scored.filter((one) => one.score === best)
  return best > 0 && !equal.length ? found?.operation : undefined
}
