/** Whether a branch is among those of a filter: exactly its name, or a pattern in which `*` matches any text. */
export const matchesBranch = (filter: string, branch: string): boolean => {
  if (filter === '') return true
  const [first = '', ...rest] = filter.split('*')
  const last = rest.pop()
  if (last === undefined) return branch === filter
  if (!branch.startsWith(first)) return false
  // Each part is found as early as possible, which leaves the most text for the later ones.
  let position = first.length
  for (const part of rest) {
    const found = branch.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return branch.length - last.length >= position && branch.endsWith(last)
}
