/** File name extensions of markup languages, in order of preference. */
const markupExtensions = [
  '.md',
  '.markdown',
  '.mkd',
  '.mkdn',
  '.adoc',
  '.asciidoc',
  '.asc',
  '.rst',
  '.org',
  '.textile',
  '.rdoc',
]

const plainExtensions = ['', '.txt']

/** Selects the readme from the file names at the root; null if there is none. */
export const findReadme = (names: readonly string[]): string | null => {
  const extensions = [...markupExtensions, ...plainExtensions]
  const ranked = names
    .filter((name) => /^readme(\.[a-z]+)?$/i.test(name))
    .map((name) => ({ name, rank: extensions.indexOf(name.slice('readme'.length).toLowerCase()) }))
    .filter(({ rank }) => rank >= 0)
    // Upper case sorts first: `README.md` before `readme.md`.
    .sort((one, other) => one.rank - other.rank || (one.name < other.name ? -1 : 1))
  return ranked[0]?.name ?? null
}
