import { isPlatformError } from '../../../kernel/errors.ts'
import type { Repository, TreeEntry } from '../../../ports/git.ts'
import type { LicenseTemplate, Templates } from '../../../ports/templates.ts'
import type { ProjectLicense } from '../../spaces/projects/settings.ts'

/** Bytes of a license file that are compared; the longest common license has 35,000. */
const maxBytes = 100_000
/** Share of the words that a text and a license have in common, as Licensee requires. */
const requiredSimilarity = 0.98

const licenseName = /^(?:un)?licen[sc]e(?:\.(?:md|markdown|txt|rst))?$|^copying(?:\.(?:lesser|md|markdown|txt))?$/i

/** Counts of the words without placeholders, titles and copyright lines, which differ between projects. */
const countWords = (text: string): ReadonlyMap<string, number> => {
  const body = text
    .replace(/^\s*(?:\(c\)|copyright (?:\(c\)|©|\d|[[<{])).*$/gim, '')
    .replace(/^\W*(?:the )?(?:\S+ ){0,3}licen[sc]e\W*$/gim, '')
    .toLowerCase()
  const counts = new Map<string, number>()
  for (const [word] of body.matchAll(/[\p{L}\d]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const countedTemplates = new WeakMap<LicenseTemplate, ReadonlyMap<string, number>>()

/** Counts the words of a template once. */
const countTemplate = (license: LicenseTemplate): ReadonlyMap<string, number> => {
  const words = countedTemplates.get(license) ?? countWords(license.content)
  countedTemplates.set(license, words)
  return words
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)

/** The coefficient of Sørensen and Dice, from 0 to 1. */
const compareWords = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number => {
  const common = [...one].map(([word, count]) => Math.min(count, other.get(word) ?? 0))
  const size = sum(one.values()) + sum(other.values())
  return size === 0 ? 0 : (2 * sum(common)) / size
}

const unknownLicense = { key: 'other', name: 'Other', nickname: null, htmlUrl: null, sourceUrl: null }

/** The license of the instance whose text is the same, apart from names and years; otherwise `other`. */
const identifyLicense = async (templates: Templates, text: string): Promise<Omit<ProjectLicense, 'path'>> => {
  const words = countWords(text)
  const ranked = (await templates.list('licenses'))
    .map((license) => ({ license, similarity: compareWords(words, countTemplate(license)) }))
    .sort((one, other) => other.similarity - one.similarity)
  const [best] = ranked
  if (best === undefined || best.similarity < requiredSimilarity) return unknownLicense
  const { key, name, nickname = null, htmlUrl = null, sourceUrl = null } = best.license
  return { key, name, nickname, htmlUrl, sourceUrl }
}

const readText = async (repository: Repository, { id, mode }: TreeEntry): Promise<string> => {
  // The content of a symbolic link is a path.
  if (mode === '120000') return ''
  try {
    const blob = await repository.blob(id, { maximumBytes: maxBytes })
    return Buffer.from(blob?.content ?? []).toString('utf8')
  } catch (error) {
    if (isPlatformError(error) && error.reason === 'too_large') return ''
    throw error
  }
}

/** The license in the files at the root of a repository; null without such a file. */
export async function findLicense(
  repository: Repository,
  files: readonly TreeEntry[],
  templates: Templates,
): Promise<ProjectLicense | null> {
  const named = files.filter(({ name }) => licenseName.test(name))
  const file = named.sort((one, other) => (one.name < other.name ? 1 : -1))[0]
  if (file === undefined) return null
  return { path: file.name, ...(await identifyLicense(templates, await readText(repository, file))) }
}
