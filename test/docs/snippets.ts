import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

/** One TypeScript block of the documentation. */
export interface Snippet {
  /** Where it stands: `docs/guide/embed.md:18`. */
  readonly place: string
  readonly code: string
  /** False where it needs something that a test does not have, such as a database server: those blocks say `check`. */
  readonly runs: boolean
  /** What it says it prints, line by line: the comments that begin with an arrow. */
  readonly prints: readonly string[]
}

/** Pages whose TypeScript blocks are checked. */
export const guides = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('{docs/{*,guide/*},packages/*/README}.md', { cwd: root }).sort(),
]

const snippetsOf = (page: string): Snippet[] => {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```ts(?<mark>[^\n]*)\n(?<code>[\s\S]*?)^```$/gm)].map(({ index, groups = {} }) => {
    const code = groups.code as string
    return {
      place: `${page}:${text.slice(0, index).split('\n').length}`,
      code,
      runs: groups.mark?.trim() !== 'check',
      prints: [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line as string),
    }
  })
}

/** Every TypeScript block of the README and the guides, in the order in which a reader meets them. */
export const snippets: readonly Snippet[] = guides.flatMap(snippetsOf)
