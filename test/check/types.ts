import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { examples, snippets } from '../docs/snippets.ts'
import { findFloatingPromises } from './floating-promises.ts'

/**
 * Type checks the workspace like `tsc`, together with every TypeScript block of the documentation and every `@example`, and reports floating
 * promises. The linter has such a rule, but its own type inference does not resolve the types of a session, so it misses
 * operations that are not awaited, and their errors would be lost.
 *
 * A run without problems writes a build info file. The next run checks only the files that a change since then affects.
 */

const root = join(import.meta.dirname, '..', '..')

const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem: ts.Diagnostic) => fail([problem]) }
const format: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
}

const fail = (problems: readonly ts.Diagnostic[]) => {
  console.error(ts.formatDiagnostics(problems, format))
  process.exitCode = 1
}

const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host)
if (!config) throw new Error('tsconfig.json cannot be read')

/** The blocks of the documentation, as virtual files. */
const documented = new Map(
  [...snippets, ...examples].map(({ place, code }) => [
    join(root, 'test', 'docs', `${place.replace(/[^\w]+/g, '-')}.ts`),
    code,
  ]),
)
const system: ts.System = {
  ...ts.sys,
  fileExists: (name) => documented.has(name) || ts.sys.fileExists(name),
  readFile: (name, encoding) => documented.get(name) ?? ts.sys.readFile(name, encoding),
}

/** A change of these checks makes the results of earlier runs invalid. */
const checks = ['types.ts', 'floating-promises.ts'].map((name) => readFileSync(join(import.meta.dirname, name)))
const checksHash = createHash('sha256').update(Buffer.concat(checks)).digest('hex').slice(0, 8)
const options: ts.CompilerOptions = {
  ...config.options,
  // With it, the compiler reports only changed files and not those that import them. Node.js itself rejects imports of types as values.
  verbatimModuleSyntax: false,
  incremental: true,
  tsBuildInfoFile: join(root, 'node_modules', '.cache', 'forgelet', `types-${checksHash}.tsbuildinfo`),
}

const rootNames = [...config.fileNames, ...documented.keys()]
const program = ts.createIncrementalProgram({
  rootNames,
  options,
  configFileParsingDiagnostics: config.errors,
  host: ts.createIncrementalCompilerHost(options, system),
})
const problems = [
  ...program.getConfigFileParsingDiagnostics(),
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...program.getSyntacticDiagnostics(),
]

const reportFloatingPromises = (file: ts.SourceFile) => {
  for (const node of findFloatingPromises(program.getProgram().getTypeChecker(), file)) {
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart())
    const location = `${relative(root, file.fileName)}:${line + 1}:${character + 1}`
    console.error(`${location}: this promise is not awaited; add await, or void if that is intended`)
    process.exitCode = 1
  }
}

const checked = new Set(rootNames)
for (;;) {
  const affected = program.getSemanticDiagnosticsOfNextAffectedFile()
  if (!affected) break
  problems.push(...affected.result)
  const files = 'fileName' in affected.affected ? [affected.affected] : affected.affected.getSourceFiles()
  files.filter(({ fileName }) => checked.has(fileName)).forEach(reportFloatingPromises)
}
if (problems.length) fail(problems)
if (!process.exitCode) program.emit()
