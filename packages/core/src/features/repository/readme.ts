/** Endings that are shown as more than plain text, the usual one first. */
const markup = ['.md', '.markdown', '.mkd', '.mkdn', '.adoc', '.asciidoc', '.asc', '.rst', '.org', '.textile', '.rdoc']

const plain = ['', '.txt']

/** Among the names of files at the root, the one that introduces the project; null when there is none. */
export const readmeAmong = (names: readonly string[]): string | null => {
  const found = names.filter((name) => /^readme(\.[a-z]+)?$/i.test(name))
  const endings = [...markup, ...plain]
  const ranked = found
    .map((name) => ({ name, rank: endings.indexOf(name.slice('readme'.length).toLowerCase()) }))
    .filter(({ rank }) => rank >= 0)
    // The usual spelling before all others.
    .sort((one, other) => one.rank - other.rank || (one.name < other.name ? -1 : 1))
  return ranked[0]?.name ?? null
}
