import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

/** One TypeScript block of the documentation. */
export interface Snippet {
  /** File and line: `docs/guide/embed.md:18`. */
  readonly place: string
  readonly code: string
  /** False for blocks marked `check`, which need something that the test lacks, such as a database server. */
  readonly runs: boolean
  /** The expected output lines, from comments that begin with an arrow. */
  readonly prints: readonly string[]
}

/** Pages with TypeScript blocks that are checked. */
export const guides = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('{docs/{*,guide/*},packages/*/README}.md', { cwd: root }).sort(),
]

const snippetsOf = (page: string): Snippet[] => {
  const text = readFileSync(join(root, page), 'utf8')
  // Blocks marked `new` are files of the recipes, see `recipes.ts`.
  return [...text.matchAll(/^```ts(?! new$)(?<mark>[^\n]*)\n(?<code>[\s\S]*?)^```$/gm)].map(
    ({ index, groups = {} }) => {
      const code = groups.code as string
      return {
        place: `${page}:${text.slice(0, index).split('\n').length}`,
        code,
        runs: groups.mark?.trim() !== 'check',
        prints: [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line as string),
      }
    },
  )
}

/** The `@example` blocks in the comments of the packages. */
const examplesOf = (path: string): Snippet[] => {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/@example\n *\* ```ts(?<mark>[^\n]*)\n(?<lines>(?: *\*(?! ```)[^\n]*\n)+)/g)].map(
    ({ index, groups = {} }) => {
      const code = (groups.lines as string).replace(/^ *\* ?/gm, '')
      return {
        place: `${path}:${text.slice(0, index).split('\n').length}`,
        code,
        runs: groups.mark?.trim() !== 'check',
        prints: [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line as string),
      }
    },
  )
}

/** Every `@example` block. */
export const examples: readonly Snippet[] = globSync('packages/*/src/**/*.ts', { cwd: root }).sort().flatMap(examplesOf)

/** Every TypeScript block of the README and the guides, in order. */
export const snippets: readonly Snippet[] = guides.flatMap(snippetsOf)
