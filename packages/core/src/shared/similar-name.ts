import { closest, distance } from 'fastest-levenshtein'

const sortLetters = (name: string) => [...name].sort().join('')

/** Differs in at most a third of its letters, or two letters are exchanged. */
const isSimilar = (name: string, other: string): boolean => {
  const difference = distance(name, other)
  return difference <= Math.max(1, name.length / 3) || (difference === 2 && sortLetters(name) === sortLetters(other))
}

const wordsOf = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())

/** More names that contain a word are not listed. */
const maxNames = 20

/** The known names that a wrong one can mean: the similar one, the one that it begins (`start`: `startsAt`), or else all that contain it as a word (`events`: `pushEvents`, `jobEvents`). */
export const findSimilarNames = (name: string, known: readonly string[]): readonly string[] => {
  if (!known.length) return []
  const longer = known.filter((other) => wordsOf(other).includes(name.toLowerCase()))
  if (longer.length === 1) return longer
  const [beginning, ...further] = known.filter((other) => name.length > 2 && other.startsWith(name))
  if (beginning !== undefined && !further.length) return [beginning]
  const candidate = closest(name, [...known])
  if (isSimilar(name.toLowerCase(), candidate.toLowerCase())) return [candidate]
  const ending = longer.filter((other) => wordsOf(other).at(-1) === name.toLowerCase())
  const names = ending.length ? ending : longer
  return names.length <= maxNames ? names : []
}

/** The known name that a wrong one probably means. */
export const findSimilarName = (name: string, known: readonly string[]): string | undefined => {
  const names = findSimilarNames(name, known)
  return names.length === 1 ? names[0] : undefined
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

/** A sentence for an error message: `Did you mean 'carol'?` */
export const formatSuggestion = (names: readonly string[]): string =>
  `Did you mean ${alternatives.format(names.map((name) => `'${name}'`))}?`

/** A sentence for an error message: `Did you mean 'carol'?`, or else the known names. */
export const suggestName = (name: string, known: readonly string[]): string => {
  const similar = findSimilarNames(name, known)
  return similar.length ? formatSuggestion(similar) : `Known names: ${known.join(', ')}`
}
