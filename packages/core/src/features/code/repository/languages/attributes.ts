import { matchesName } from '../../protected-references/reference-names.ts'

/** What `.gitattributes` states about a file; undefined: nothing. */
export interface FileAttributes {
  /** Name or alias of a language. */
  readonly language?: string
  /** Whether the file is no code of this project: `linguist-vendored`, `linguist-generated` or `linguist-documentation`. */
  readonly excluded?: boolean
  /** Whether the file counts although its language is data or prose. */
  readonly detectable?: boolean
}

/** Lines that have an effect. Every file is compared with all of them. */
const maxRules = 50

const fields: Readonly<Record<string, 'excluded' | 'detectable'>> = {
  'linguist-vendored': 'excluded',
  'linguist-generated': 'excluded',
  'linguist-documentation': 'excluded',
  'linguist-detectable': 'detectable',
}

/** `linguist-vendored`, `-linguist-vendored`, `linguist-vendored=false` or `linguist-language=Ruby`. */
const parseAttribute = (text: string): FileAttributes => {
  const [name = '', value = 'true'] = text.replace(/^-/, '').split('=')
  if (name === 'linguist-language') return { language: value }
  const field = fields[name]
  return field === undefined ? {} : { [field]: !text.startsWith('-') && value !== 'false' }
}

const countSlashes = (text: string) => text.split('/').length

/** A pattern without a slash applies in every folder, another one from the root. Only `**` matches slashes. */
const appliesTo = (pattern: string, path: string): boolean => {
  if (!pattern.includes('/')) return matchesName(pattern, path.slice(path.lastIndexOf('/') + 1))
  const rooted = pattern.replace(/^\//, '')
  if (rooted.startsWith('**/') && appliesTo(`/${rooted.slice(3)}`, path)) return true
  return matchesName(rooted, path) && (rooted.includes('**') || countSlashes(rooted) === countSlashes(path))
}

/** Reads the text of the `.gitattributes` at the root of a repository. Later lines take precedence. */
export const parseAttributes = (text: string): ((path: string) => FileAttributes) => {
  const rules = text
    .split(/\r?\n/)
    .map((line) => line.trim().split(/\s+/))
    .map(([pattern = '', ...attributes]) => ({ pattern, attributes: attributes.map(parseAttribute) }))
    .map(({ pattern, attributes }): readonly [string, FileAttributes] => [pattern, Object.assign({}, ...attributes)])
    .filter(([pattern, attributes]) => !pattern.startsWith('#') && Object.keys(attributes).length > 0)
    .slice(0, maxRules)
  return (path) =>
    Object.assign({}, ...rules.flatMap(([pattern, attributes]) => (appliesTo(pattern, path) ? [attributes] : [])))
}
