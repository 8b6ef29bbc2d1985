import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The root of the workspace. */
export const root = join(import.meta.dirname, '..', '..')

export interface Import {
  /** The importing file, from the root: `packages/core/src/policy.ts`. */
  readonly from: string
  /** The imported file, from the root; for anything but a relative import the specifier as it is written. */
  readonly to: string
  readonly relative: boolean
  /** Gone before the code runs. `import { type A }` is not: its statement stays, without names. */
  readonly typeOnly: boolean
  /** The names of a named import, without `type` and without renaming. */
  readonly names: readonly string[]
}

export interface Source {
  readonly path: string
  /** Without comments, so that prose is not taken for code. */
  readonly code: string
  readonly test: boolean
  readonly imports: readonly Import[]
}

/** Comments at the start of a line or after code; `//` inside of text, as in an address, has no blank before it. */
const withoutComments = (text: string) => text.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/ .*$/gm, '')

const statement = /^(?:import|export)\s+(?<type>type\s+)?(?:(?<names>[^'";]*?)\s+from\s+)?'(?<specifier>[^']+)'/gm
const dynamic = /\bimport\(\s*'(?<specifier>[^']+)'\s*\)/g
const typeofImport = /\btypeof\s+import\(|:\s*import\(|<import\(/

const namesIn = (clause: string) =>
  (/\{([^}]*)\}/.exec(clause)?.[1] ?? '')
    .split(',')
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0] as string,
    )
    .filter(Boolean)

const importsOf = (path: string, code: string): Import[] => {
  const target = (specifier: string) => {
    const isRelative = specifier.startsWith('.')
    return { to: isRelative ? relative(root, join(root, dirname(path), specifier)) : specifier, relative: isRelative }
  }
  const written = Array.from(code.matchAll(statement), ({ groups = {} }) => ({
    from: path,
    ...target(groups.specifier as string),
    typeOnly: groups.type !== undefined,
    names: namesIn(groups.names ?? ''),
  }))
  const lines = code.split('\n').filter((line) => !typeofImport.test(line))
  const late = Array.from(lines.join('\n').matchAll(dynamic), ({ groups = {} }) => ({
    from: path,
    ...target(groups.specifier as string),
    typeOnly: false,
    names: [],
  }))
  return [...written, ...late]
}

/** Every source file of the packages, tests included. */
export const sources: readonly Source[] = globSync('packages/*/src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.d.ts'))
  .sort()
  .map((path) => {
    const code = withoutComments(readFileSync(join(root, path), 'utf8'))
    return { path, code, test: path.endsWith('.test.ts'), imports: importsOf(path, code) }
  })
