import { globSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export const root: string = join(import.meta.dirname, '..', '..', '..')

/** The compiler options of the workspace. */
export const readCompilerOptions = (): ts.CompilerOptions =>
  ts.parseJsonConfigFileContent(ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config, ts.sys, root)
    .options

/** The file with the type of all operations. */
export const sessionFile: string = join(root, 'packages/core/src/session.ts')

/** The file with the schema of seed data. */
export const seedFile: string = join(root, 'packages/core/src/seed/seed.ts')

/** The source files of a package, without tests. */
export const listSources = (folder: string): readonly string[] =>
  globSync('src/**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] }).map((file) => join(folder, file))

/** The source files of all packages, without tests. */
export const listAllSources = (): readonly string[] =>
  ['core', 'http', 'fixtures'].flatMap((name) => listSources(join(root, 'packages', name)))

const httpFiles = ['routes.ts', 'control/control-routes.ts'].map((name) => join(root, 'packages/http/src', name))

let program: ts.Program | undefined

/** The program with all sources of the packages; created once in a process, because it takes several seconds. */
export const getProgram = (): ts.Program => {
  // The order of the files decides the order of the members of unions in descriptions.
  program ??= ts.createProgram([sessionFile, seedFile, ...httpFiles, ...listAllSources()], readCompilerOptions())
  return program
}

/** The file and line of a node: `packages/core/src/features/planning/labels/label.ts:12`. */
export const formatPlace = (node: ts.Node): string => {
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart())
  return `${file.fileName.slice(root.length + 1)}:${line + 1}`
}
