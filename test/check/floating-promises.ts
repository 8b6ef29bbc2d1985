import ts from 'typescript'

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

/** Expression statements whose value is a promise that is neither awaited nor handled. */
export const findFloatingPromises = (checker: ts.TypeChecker, file: ts.SourceFile): ts.Expression[] => {
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
