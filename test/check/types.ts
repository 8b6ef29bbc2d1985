import { join, relative } from 'node:path'
import ts from 'typescript'
import { snippets } from '../docs/snippets.ts'

/**
 * Type checks the workspace like `tsc`, together with every TypeScript block of the documentation, and reports floating
 * promises. The linter has such a rule, but its own type inference does not resolve the types of a session, so it misses
 * operations that are not awaited, and their errors would be lost.
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

const isPromise = (checker: ts.TypeChecker, type: ts.Type, at: ts.Node): boolean => {
  if (type.isUnion()) return type.types.some((part) => isPromise(checker, part, at))
  const then = type.getProperty('then')
  return then !== undefined && checker.getTypeOfSymbolAtLocation(then, at).getCallSignatures().length > 0
}

/** `promise.catch(…)` and `promise.then(…, …)` handle a rejection. */
const isHandled = (node: ts.Expression): boolean => {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const method = node.expression.name.text
  if (method === 'finally') return isHandled(node.expression.expression)
  return (method === 'catch' && node.arguments.length > 0) || (method === 'then' && node.arguments.length > 1)
}

/** An assigned promise can be awaited later. */
const isAssignment = (node: ts.Expression): boolean => {
  if (!ts.isBinaryExpression(node)) return false
  const { kind } = node.operatorToken
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

/** `test` and `describe` of node:test return promises that the runner awaits. */
const isForRunner = (checker: ts.TypeChecker, node: ts.Expression): boolean => {
  if (!ts.isCallExpression(node)) return false
  const declaration = checker.getResolvedSignature(node)?.declaration
  return declaration?.getSourceFile().fileName.endsWith('/@types/node/test.d.ts') ?? false
}

const floatingIn = (checker: ts.TypeChecker, file: ts.SourceFile): ts.Expression[] => {
  const floating: ts.Expression[] = []
  const visit = (node: ts.Node) => {
    if (ts.isExpressionStatement(node)) {
      const { expression } = node
      if (
        !isAssignment(expression) &&
        !isHandled(expression) &&
        !isForRunner(checker, expression) &&
        isPromise(checker, checker.getTypeAtLocation(expression), expression)
      ) {
        floating.push(expression)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return floating
}

const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host)
if (!config) throw new Error('tsconfig.json cannot be read')

/** The blocks of the documentation, as virtual files. */
const documented = new Map(
  snippets.map(({ place, code }) => [join(root, 'test', 'docs', `${place.replace(/[^\w]+/g, '-')}.ts`), code]),
)
const fileNames = [...config.fileNames, ...documented.keys()]
const files = ts.createCompilerHost(config.options)
const program = ts.createProgram(fileNames, config.options, {
  ...files,
  fileExists: (name) => documented.has(name) || files.fileExists(name),
  readFile: (name) => documented.get(name) ?? files.readFile(name),
  getSourceFile(name, options, onError) {
    const code = documented.get(name)
    return code === undefined
      ? files.getSourceFile(name, options, onError)
      : ts.createSourceFile(name, code, options, true)
  },
})
const problems = [...config.errors, ...ts.getPreEmitDiagnostics(program)]
if (problems.length) fail(problems)

const checked = new Set(fileNames)
for (const file of program.getSourceFiles().filter(({ fileName }) => checked.has(fileName))) {
  for (const node of floatingIn(program.getTypeChecker(), file)) {
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart())
    const location = `${relative(root, file.fileName)}:${line + 1}:${character + 1}`
    console.error(`${location}: this promise is not awaited; add await, or void if that is intended`)
    process.exitCode = 1
  }
}
