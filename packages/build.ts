import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Options } from 'tsup'

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly source: string; readonly default: string }>>
}

/**
 * The URL of the built file. `import.meta` is empty where a bundler has converted it to CommonJS, which has `__filename`.
 */
const moduleUrl =
  "const moduleUrl = import.meta.url ?? process.getBuiltinModule('node:url').pathToFileURL(__filename).href"

const nameOf = (built: string) => basename(built, '.js')

/**
 * How the package in a folder is built: one file for each export and command that its package.json names. The declarations come
 * from the sources, or from those that were written into another folder of the package.
 */
export const buildOf = (folder: string, written?: string): Options => {
  const { bin = {}, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const entries = Object.values(exports).filter((entry) => typeof entry !== 'string')
  const libraries = Object.fromEntries(entries.map((entry) => [nameOf(entry.default), entry.source]))
  const toWritten = (source: string) => source.replace(/^\.\/src\/(.*)\.ts$/, `./${written}/$1.d.ts`)
  const declared = Object.entries(libraries).map(([name, source]) => [name, written ? toWritten(source) : source])
  const commands = Object.fromEntries(Object.values(bin).map((built) => [nameOf(built), `src/${nameOf(built)}.ts`]))
  return {
    entry: { ...libraries, ...commands },
    format: 'esm',
    target: 'node22',
    // `node:sqlite` and some other built-in modules cannot be imported without the prefix.
    removeNodeProtocol: false,
    // Bundled, because loading many small modules takes half of the start time. Their types still come from the packages.
    noExternal: ['kysely', 'commander'],
    banner: { js: moduleUrl },
    esbuildOptions(options) {
      options.define = { ...options.define, 'import.meta.url': 'moduleUrl' }
      // The packages contain them, for declaration maps.
      options.sourcesContent = false
    },
    sourcemap: true,
    // Without the condition `source`, http and fixtures use the built declarations of core. TypeScript would infer them again otherwise.
    dts: { entry: Object.fromEntries(declared), compilerOptions: { customConditions: [] } },
    clean: true,
  }
}
