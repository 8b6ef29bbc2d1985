/** Whether the text matches `*`, `?`, `[a-z]` and escaped characters. Goes back to the last `*` only, so the cost is bounded. */
const matchesSegment = (pattern: string, text: string): boolean => {
  let [at, position] = [0, 0]
  let star: readonly [at: number, position: number] | undefined
  while (position < text.length) {
    const length = pattern[at] === '*' ? undefined : matchCharacter(pattern, at, text[position] ?? '')
    if (length === undefined && pattern[at] === '*') {
      star = [at, position]
      at++
    } else if (length !== undefined) {
      at += length
      position++
    } else if (star) {
      star = [star[0], star[1] + 1]
      ;[at, position] = [star[0] + 1, star[1]]
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}

/** The length of the part of the pattern that matches the character; undefined for no match. */
const matchCharacter = (pattern: string, at: number, character: string): number | undefined => {
  const first = pattern[at]
  if (first === '?') return 1
  if (first === '\\' && at + 1 < pattern.length) return pattern[at + 1] === character ? 2 : undefined
  const end = first === '[' ? pattern.indexOf(']', at + 2) : -1
  if (end < 0) return first === character ? 1 : undefined
  const isNegated = pattern[at + 1] === '^' || pattern[at + 1] === '!'
  const set = pattern.slice(at + (isNegated ? 2 : 1), end)
  return isInSet(set, character) === isNegated ? undefined : end - at + 1
}

const isInSet = (set: string, character: string): boolean => {
  for (let index = 0; index < set.length; index++) {
    const last = set[index + 1] === '-' ? set[index + 2] : undefined
    if (last !== undefined && character >= (set[index] ?? '') && character <= last) return true
    if (set[index] === character) return true
    if (last !== undefined) index += 2
  }
  return false
}

/** Anchored at the root: a pattern without a leading slash matches in every folder, one with a trailing slash everything below. */
const toSegments = (pattern: string): readonly string[] => {
  if (pattern === '*') return ['**', '*']
  const parts = (pattern.startsWith('/') ? pattern.slice(1) : `**/${pattern}`).split('/')
  return pattern.endsWith('/') ? [...parts.slice(0, -1), '**', '*'] : parts
}

/** Whether a pattern of a file of code owners matches the path of a file, such as `docs/index.md`. */
export const matchesPathPattern = (pattern: string, path: string): boolean => {
  const patterns = toSegments(pattern)
  const segments = path.split('/')
  // The positions in the path that the patterns so far can end at.
  let ends = new Set([0])
  for (const [index, segment] of patterns.entries()) {
    const next = new Set<number>()
    const isRecursive = segment === '**' && index < patterns.length - 1
    for (const end of ends) {
      if (isRecursive) for (let to = end; to < segments.length; to++) next.add(to)
      else if (end < segments.length && matchesSegment(segment, segments[end] ?? '')) next.add(end + 1)
    }
    ends = next
  }
  return ends.has(segments.length)
}
