import { setImmediate } from 'node:timers/promises'
import type { SizedFile } from '../../../../ports/git.ts'
import { type FileAttributes, parseAttributes } from './attributes.ts'
import data from './data.json' with { type: 'json' }
import type { RepositoryLanguage } from './language.ts'

interface Language {
  readonly name: string
  /** The language that its code counts for: `TypeScript` for `TSX`. */
  readonly group: string
  readonly isCode: boolean
}

const languages = new Map<string, Language>()
/** By extension; those of which it is the most usual extension first. */
const byExtension = new Map<string, { readonly language: Language; readonly isPrimary: boolean }[]>()
const byFileName = new Map<string, Language>()

for (const [name, line] of Object.entries(data)) {
  const [type = '', group = '', extensions = '', fileNames = '', aliases = ''] = line.split('|')
  const language = { name, group: group || name, isCode: type === 'programming' || type === 'markup' }
  for (const alias of [name, ...aliases.split(',')]) if (alias) languages.set(alias.toLowerCase(), language)
  for (const [at, extension] of extensions.split(',').entries()) {
    const known = byExtension.get(extension.toLowerCase()) ?? []
    byExtension.set(extension.toLowerCase(), [...known, { language, isPrimary: at === 0 }])
  }
  for (const fileName of fileNames.split(',')) if (fileName) byFileName.set(fileName, language)
}

/** The more frequent ones of languages with the same usual extension, in the absence of other files of these languages. */
const frequent = [
  'HTML',
  'Markdown',
  'Perl',
  'Rust',
  'F#',
  'Objective-C',
  'C',
  'D',
  'R',
  'Verilog',
  'OCaml',
  'Lean 4',
  'Lex',
]

/** Files that are no code of the project: packages, minified and generated files, documentation and examples. */
const excludedPaths = [
  /(^|\/)(node_modules|bower_components|vendors?|third[-_]?party|3rd[-_]?party|Godeps|Pods|Carthage|\.yarn|dist|extern(al)?)\//i,
  /(^|\/)(cache|deps)\/|(^|\/)(gradlew|mvnw)(\.bat|\.cmd)?$|^(tests?|specs?)\/fixtures\//i,
  /[.-]min\.(js|css)$|\.(pb\.(go|cc|h)|designer\.cs|g\.dart)$|_pb2(_grpc)?\.pyi?$/i,
  /^(docs?|man|examples|demos?)\/|(^|\/)(documentation|javadoc|samples?)\//i,
]

/** Files that are counted in one turn of the event loop. */
const filesPerTurn = 1_000

const candidatesOf = (path: string) => {
  const fileName = path.slice(path.lastIndexOf('/') + 1)
  const named = byFileName.get(fileName)
  if (named) return [named]
  const lower = fileName.toLowerCase()
  // The longest known extension: `.blade.php` before `.php`.
  for (let dot = lower.indexOf('.'); dot >= 0; dot = lower.indexOf('.', dot + 1)) {
    const found = byExtension.get(lower.slice(dot))
    if (found === undefined) continue
    const primary = found.filter(({ isPrimary }) => isPrimary)
    return (primary.length > 0 ? primary : found).map(({ language }) => language)
  }
  return []
}

const isExcluded = (path: string, { excluded }: FileAttributes): boolean =>
  excluded ?? excludedPaths.some((pattern) => pattern.test(path))

/** Names with spaces are written with hyphens in `.gitattributes`. */
const findLanguage = (name: string | undefined): Language | undefined =>
  name === undefined
    ? undefined
    : (languages.get(name.toLowerCase()) ?? languages.get(name.replaceAll('-', ' ').toLowerCase()))

const toShares = (bytes: ReadonlyMap<string, number>): RepositoryLanguage[] => {
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0)
  return [...bytes]
    .map(([name, size]) => ({ name, share: Math.round((size / total) * 10_000) / 100 }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1))
}

/**
 * Counts the code of each language by the names and sizes of files, with the data of Linguist. Where several languages have the same
 * extension, the one that other files of the repository have counts. `attributes`: text of `.gitattributes`.
 */
export const detectLanguages = async (
  files: readonly SizedFile[],
  attributes: string,
): Promise<RepositoryLanguage[]> => {
  const attributesOf = parseAttributes(attributes)
  const bytes = new Map<string, number>()
  const add = ({ group }: Language, size: number) => bytes.set(group, (bytes.get(group) ?? 0) + size)
  const ambiguous: { readonly candidates: readonly Language[]; readonly counted: readonly Language[]; size: number }[] =
    []
  for (const [at, { path, size }] of files.entries()) {
    if (at % filesPerTurn === filesPerTurn - 1) await setImmediate()
    const stated = attributesOf(path)
    if (size === 0 || isExcluded(path, stated)) continue
    const named = findLanguage(stated.language)
    const candidates = named ? [named] : candidatesOf(path)
    const counted = candidates.filter(({ isCode }) => stated.detectable ?? isCode)
    const [first] = counted
    if (first === undefined) continue
    if (candidates.length === 1) add(first, size)
    else ambiguous.push({ candidates, counted, size })
  }
  const clear = new Map(bytes)
  const rank = (language: Language) => clear.get(language.group) ?? 0
  const position = ({ name }: Language) => (frequent.includes(name) ? frequent.indexOf(name) : frequent.length)
  for (const [at, { candidates, counted, size }] of ambiguous.entries()) {
    if (at % filesPerTurn === filesPerTurn - 1) await setImmediate()
    const [best] = candidates.toSorted((a, b) => rank(b) - rank(a) || position(a) - position(b))
    if (best && counted.includes(best)) add(best, size)
  }
  return toShares(bytes)
}
