import { matchesPathPattern } from './path-pattern.ts'

/** Where the file can be, in order of precedence. */
export const codeOwnersPaths = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'] as const

/** Larger files are ignored, in bytes. */
export const maxCodeOwnersSize = 1024 * 1024

/** Further lines are ignored: each is compared with each changed file. */
const maxEntries = 1_000

/** Owners as they are written: `@user`, `@group/subgroup`, `@@maintainer` or an e-mail address. */
type Owners = readonly string[]

interface Entry {
  readonly pattern: string
  readonly owners: Owners
  /** Whether files that match have no owners in the section. */
  readonly isExcluded: boolean
}

/** A section of a file of code owners. */
export interface CodeOwnersSection {
  readonly name: string
  readonly isOptional: boolean
  readonly approvalsRequired: number
  readonly defaultOwners: Owners
  readonly entries: Entry[]
}

/** An entry of a file of code owners that owns files. */
export interface OwnedPattern {
  /** Name of the section; `codeowners` for entries before the first heading. */
  readonly section: string
  /** The pattern that the files match, as it is written. */
  readonly pattern: string
  /** Owners as they are written: `@user`, `@group/subgroup`, `@@maintainer` or an e-mail address. */
  readonly owners: Owners
  /** Number of approvals that the section requires; 0 in an optional one. */
  readonly approvalsRequired: number
}

/** The name of the section of entries before the first heading. */
const defaultSection = 'codeowners'

const createSection = (name: string): CodeOwnersSection => ({
  ...{ name, isOptional: false, approvalsRequired: 1, defaultOwners: [], entries: [] },
})

const splitOwners = (text: string): Owners => [
  ...new Set(text.split(/\s+/).filter((word) => word.startsWith('@') || /^[^\s@]+@[^\s@]+$/.test(word))),
]

const parseHeading = (line: string): CodeOwnersSection | undefined => {
  const match = /^(\^)?\[([^\]]{1,255})\](?:\[(\d{1,3})\])?(?:\s+(.*))?$/.exec(line)
  if (!match) return undefined
  const [, optional, name = '', approvals = '1', owners = ''] = match
  return {
    name: name.trim(),
    isOptional: optional !== undefined,
    approvalsRequired: Math.min(100, Math.max(1, Number(approvals))),
    defaultOwners: splitOwners(owners),
    entries: [],
  }
}

/** Spaces in paths, and a number sign at the start, are written after a backslash. */
const parseEntry = (line: string, { defaultOwners }: CodeOwnersSection): Entry | undefined => {
  const match = /^(!)?((?:\\.|[^\s\\])+)(.*)$/.exec(line)
  if (!match) return undefined
  const [, excluded, written = '', rest = ''] = match
  const owners = splitOwners(rest)
  const pattern = written.replaceAll(/\\([ #\t!])/g, '$1')
  return { pattern, owners: owners.length ? owners : defaultOwners, isExcluded: excluded !== undefined }
}

/** Parses a file of code owners. Lines that are not understood are ignored. */
export const parseCodeOwners = (text: string): readonly CodeOwnersSection[] => {
  let section = createSection(defaultSection)
  const sections = new Map([[defaultSection, section]])
  let count = 0
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const heading = parseHeading(line)
    if (heading) {
      const key = heading.name.toLowerCase()
      const known = sections.get(key)
      // Headings with the same name continue one section, with the default owners of the last heading.
      section = known
        ? {
            ...known,
            isOptional: known.isOptional && heading.isOptional,
            defaultOwners: heading.defaultOwners,
          }
        : heading
      sections.set(key, section)
      continue
    }
    const entry = count < maxEntries ? parseEntry(line, section) : undefined
    if (!entry) continue
    section.entries.push(entry)
    count++
  }
  return [...sections.values()]
}

/** The last entry that matches, in each section; none if a file is excluded or has no owners there. */
const findOwned = ({ entries, ...section }: CodeOwnersSection, path: string): OwnedPattern | undefined => {
  if (entries.some(({ pattern, isExcluded }) => isExcluded && matchesPathPattern(pattern, path))) return undefined
  const entry = entries.findLast(({ pattern, isExcluded }) => !isExcluded && matchesPathPattern(pattern, path))
  if (!entry?.owners.length) return undefined
  const approvalsRequired = section.isOptional ? 0 : section.approvalsRequired
  return { section: section.name, pattern: entry.pattern, owners: entry.owners, approvalsRequired }
}

/** The entries that own the files with these paths, each once. */
export const findOwnedPatterns = (
  sections: readonly CodeOwnersSection[],
  paths: readonly string[],
): readonly OwnedPattern[] => {
  const owned = new Map<string, OwnedPattern>()
  for (const section of sections)
    for (const path of paths) {
      const found = findOwned(section, path)
      if (found) owned.set(`${found.section}\n${found.pattern}`, found)
    }
  return [...owned.values()]
}
