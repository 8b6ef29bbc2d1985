import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The root of the workspace. */
export const root = join(import.meta.dirname, '..', '..')

export interface Import {
  /** The importing file, relative to the root: `packages/core/src/policy.ts`. */
  readonly from: string
  /** The imported file, relative to the root; for other imports the specifier. */
  readonly to: string
  readonly relative: boolean
  /** Erased before the code runs. `import { type A }` is not type-only: the import remains, without names. */
  readonly typeOnly: boolean
  /** The imported names, without `type` and before renaming with `as`. */
  readonly names: readonly string[]
}

export interface Source {
  readonly path: string
  /** Without comments. */
  readonly code: string
  readonly test: boolean
  readonly imports: readonly Import[]
}

/** Removes comments at the start of a line or after a space; `//` in a URL has no space before it. */
const withoutComments = (text: string) => text.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/ .*$/gm, '')

const statement = /^(?:import|export)\s+(?<type>type\s+)?(?:(?<names>[^'";]*?)\s+from\s+)?'(?<specifier>[^']+)'/gm
const dynamic = /(?<type>\btypeof\s+|:\s*|<)?\bimport\(\s*'(?<specifier>[^']+)'\s*\)/g

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
  const staticImports = Array.from(code.matchAll(statement), ({ groups = {} }) => ({
    from: path,
    ...target(groups.specifier as string),
    typeOnly: groups.type !== undefined,
    names: namesIn(groups.names ?? ''),
  }))
  const dynamicImports = Array.from(code.matchAll(dynamic), ({ groups = {} }) => ({
    from: path,
    ...target(groups.specifier as string),
    typeOnly: groups.type !== undefined,
    names: [],
  }))
  return [...staticImports, ...dynamicImports]
}

/** Every source file of the packages, tests included. */
export const sources: readonly Source[] = globSync('packages/*/src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.d.ts'))
  .sort()
  .map((path) => {
    const code = withoutComments(readFileSync(join(root, path), 'utf8'))
    return { path, code, test: path.endsWith('.test.ts'), imports: importsOf(path, code) }
  })
