import { closest, distance } from 'fastest-levenshtein'

const sortLetters = (name: string) => [...name].sort().join('')

/** Differs in at most a third of its letters, or two letters are exchanged. */
const isSimilar = (name: string, other: string): boolean => {
  const difference = distance(name, other)
  return difference <= Math.max(1, name.length / 3) || (difference === 2 && sortLetters(name) === sortLetters(other))
}

const wordsOf = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())

/** The known name that a wrong one probably means: a similar one, or the only one with it as a word (`source`: `sourceBranch`). */
export const findSimilarName = (name: string, known: readonly string[]): string | undefined => {
  if (!known.length) return undefined
  const longer = known.filter((other) => wordsOf(other).includes(name.toLowerCase()))
  if (longer.length === 1) return longer[0]
  const candidate = closest(name, [...known])
  return isSimilar(name.toLowerCase(), candidate.toLowerCase()) ? candidate : undefined
}

/** A sentence for an error message: `Did you mean 'carol'?`, or else the known names. */
export const suggestName = (name: string, known: readonly string[]): string => {
  const similar = findSimilarName(name, known)
  return similar === undefined ? `Known names: ${known.join(', ')}` : `Did you mean '${similar}'?`
}
