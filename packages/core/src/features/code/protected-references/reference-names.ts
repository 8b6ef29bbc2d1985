/** Whether a name or pattern covers a name. `*` matches any text, also with slashes. */
export const matchesName = (pattern: string, name: string): boolean => {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let position = first.length
  for (const part of rest) {
    const found = name.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return position <= name.length - last.length
}
