/** How many letters must be added, taken away, replaced or swapped with their neighbour to get from one word to another. */
const distance = (from: string, to: string): number => {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const steps = [(last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1)]
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (swapped) steps.push((beforeLast[column - 2] ?? 0) + 1)
      current.push(Math.min(...steps))
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}

/** The known word that somebody who typed `word` most likely meant; undefined when none is near. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  // Longer than any name of ours: nothing to compare, and nothing to spend time on.
  if (word.length > 40) return undefined
  const ranked = known.map((name) => ({ name, far: distance(word, name) })).sort((a, b) => a.far - b.far)
  const [best] = ranked
  return best && best.far <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : undefined
}
