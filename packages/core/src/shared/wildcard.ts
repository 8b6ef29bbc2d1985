/** Whether a text matches a pattern in which `*` stands for any text, also the empty one. Runs in linear time, without backtracking. */
export const matchesWildcard = (text: string, pattern: string): boolean => {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return text === start
  if (!text.startsWith(start) || text.length < start.length + end.length) return false
  // Each part is found as early as possible, which leaves the most text for the later ones.
  let position = start.length
  for (const part of rest) {
    const index = text.indexOf(part, position)
    if (index === -1) return false
    position = index + part.length
  }
  return position <= text.length - end.length && text.endsWith(end)
}
