import { createRequire } from 'node:module'
import { invalidInput } from '../../../kernel/errors.ts'

/** Settings of a page, which are stored as YAML at the beginning of its text. */
export type FrontMatter = Readonly<Record<string, unknown>>

type Library = typeof import('yaml')
let library: Library | undefined

/** Loaded on first use, because few pages need it. */
const loadLibrary = (): Library => (library ??= createRequire(import.meta.url)('yaml') as Library)

const pattern = /^---[ \t]*\r?\n(?<settings>[\s\S]{1,8192}?)\r?\n---[ \t]*(?:\r?\n|$)/

const isRecord = (value: unknown): value is FrontMatter =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parseSettings = (text: string): FrontMatter | undefined => {
  try {
    const value: unknown = JSON.parse(JSON.stringify(loadLibrary().parse(text, { maxAliasCount: 0 }) ?? null))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Splits the stored text of a page. A text that begins with something else than a YAML mapping has no front matter. */
export const splitFrontMatter = (stored: string): { readonly frontMatter: FrontMatter; readonly content: string } => {
  const found = stored.startsWith('---') ? pattern.exec(stored) : null
  const frontMatter = found?.groups?.settings === undefined ? undefined : parseSettings(found.groups.settings)
  return found && frontMatter
    ? { frontMatter, content: stored.slice(found[0].length) }
    : { frontMatter: {}, content: stored }
}

/** Joins the front matter and a text that has none. @throws PlatformError `invalid_input` if they are too long together */
export const joinFrontMatter = (frontMatter: FrontMatter, content: string): string => {
  if (Object.keys(frontMatter).length === 0) return content
  const stored = `---\n${loadLibrary().stringify(frontMatter, { lineWidth: 0 })}---\n${content}`
  if (stored.length > 1_000_000)
    throw invalidInput([
      { fields: ['content'], message: 'is too long with its front matter (maximum is 1000000 characters)' },
    ])
  return stored
}
