import { closest, distance } from 'fastest-levenshtein'

const sortLetters = (name: string) => [...name].sort().join('')

/** Differs in at most a third of its letters, or two letters are exchanged. */
const isSimilar = (name: string, other: string): boolean => {
  const difference = distance(name, other)
  return difference <= Math.max(1, name.length / 3) || (difference === 2 && sortLetters(name) === sortLetters(other))
}

/** The known name that a misspelt one probably means; undefined if no name is similar. */
export const findSimilarName = (name: string, known: readonly string[]): string | undefined => {
  if (!known.length) return undefined
  const candidate = closest(name, [...known])
  return isSimilar(name.toLowerCase(), candidate.toLowerCase()) ? candidate : undefined
}

/** A sentence for an error message: `Did you mean 'carol'?`, or else the known names. */
export const suggestName = (name: string, known: readonly string[]): string => {
  const similar = findSimilarName(name, known)
  return similar === undefined ? `Known names: ${known.join(', ')}` : `Did you mean '${similar}'?`
}
