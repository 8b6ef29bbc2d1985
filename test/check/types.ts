import { join, relative } from 'node:path'
import { API, type Diagnostic, type Program } from 'typescript-native/unstable/sync'
import { examples, snippets } from '../docs/snippets.ts'
import { createFloatingPromiseFinder } from './floating-promises.ts'

/**
 * Type checks the workspace like `tsc`, together with every TypeScript block of the documentation and every `@example`, and reports floating
 * promises. The linter has such a rule, but its own type inference does not resolve the types of a session, so it misses
 * operations that are not awaited, and their errors would be lost. TypeScript 7 takes half of the processor time of TypeScript 6.
 */

const root = join(import.meta.dirname, '..', '..')

/** The blocks of the documentation, as virtual files, and a configuration that adds them to those of the workspace. */
const configFile = join(root, 'tsconfig.check.json')
const documented = new Map(
  [...snippets, ...examples].map(({ place, code }) => [
    join(root, 'test', 'docs', `${place.replace(/[^\w]+/g, '-')}.ts`),
    code,
  ]),
)
const virtual = new Map([
  ...documented,
  [configFile, JSON.stringify({ extends: './tsconfig.json', files: [...documented.keys()] })],
])
const api = new API({
  cwd: root,
  fs: {
    readFile: (path) => virtual.get(path),
    fileExists: (path) => virtual.has(path) || undefined,
  },
})

const formatPlace = (program: Program, path: string, position: number): string => {
  const { line = 0, character = 0 } = program.getSourceFile(path)?.getLineAndCharacterOfPosition(position) ?? {}
  return `${relative(root, path)}:${line + 1}:${character + 1}`
}

const listMessages = ({ text, messageChain = [] }: Diagnostic): readonly string[] => [
  text,
  ...messageChain.flatMap(listMessages).map((message) => `  ${message}`),
]

const report = (...lines: readonly string[]) => {
  console.error(lines.join('\n'))
  process.exitCode = 1
}

const [project] = api.updateSnapshot({ openProjects: [configFile] }).getProjects()
if (!project) throw new Error('tsconfig.json cannot be read')
const { program, checker, rootFiles } = project
const problems = [
  ...program.getConfigFileParsingDiagnostics(),
  ...program.getProgramDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...program.getSyntacticDiagnostics(),
  ...program.getBindDiagnostics(),
  ...program.getSemanticDiagnostics(),
]
for (const problem of problems) {
  const place = problem.fileName === undefined ? '' : `${formatPlace(program, problem.fileName, problem.pos)}: `
  report(`${place}error TS${problem.code}: ${listMessages(problem).join('\n')}`)
}

const findFloatingPromises = createFloatingPromiseFinder(checker)
for (const path of rootFiles) {
  const file = program.getSourceFile(path)
  for (const node of file ? findFloatingPromises(file) : []) {
    const place = formatPlace(program, path, node.getStart())
    report(`${place}: this promise is not awaited; add await, or void if that is intended`)
  }
}
api.close()
