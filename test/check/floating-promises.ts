import type { Expression, Node, SourceFile } from 'typescript-native/unstable/ast'
import { SyntaxKind } from 'typescript-native/unstable/ast'
import {
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isPropertyAccessExpression,
} from 'typescript-native/unstable/ast/is'
import { type Checker, SignatureKind, type Type } from 'typescript-native/unstable/sync'

const isPromise = (checker: Checker, type: Type): boolean => {
  if (type.isUnionType()) return type.getTypes().some((part) => isPromise(checker, part))
  const then = checker.getPropertyOfType(type, 'then')
  const typeOfThen = then && checker.getTypeOfSymbol(then)
  return typeOfThen !== undefined && checker.getSignaturesOfType(typeOfThen, SignatureKind.Call).length > 0
}

/** `promise.catch(…)` and `promise.then(…, …)` handle a rejection. */
const isHandled = (node: Expression): boolean => {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return false
  const method = node.expression.name.text
  if (method === 'finally') return isHandled(node.expression.expression)
  return (method === 'catch' && node.arguments.length > 0) || (method === 'then' && node.arguments.length > 1)
}

/** An assigned promise can be awaited later. */
const isAssignment = (node: Expression): boolean => {
  if (!isBinaryExpression(node)) return false
  const { kind } = node.operatorToken
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment
}

/** `test` and `describe` of node:test return promises that the runner awaits. */
const isForRunner = (checker: Checker, node: Expression): boolean =>
  isCallExpression(node) &&
  (checker.getResolvedSignature(node)?.declaration?.path.endsWith('/@types/node/test.d.ts') ?? false)

/** Finds statements with a promise as their value that is neither awaited nor handled. */
export const createFloatingPromiseFinder = (checker: Checker) => {
  /** By the id of a type. Few types are frequent, and every question is a message to the compiler. */
  const known = new Map<number, boolean>()
  const isKnownPromise = (type: Type): boolean => {
    const answer = known.get(type.id) ?? isPromise(checker, type)
    known.set(type.id, answer)
    return answer
  }
  return (file: SourceFile): readonly Expression[] => {
    const candidates: Expression[] = []
    const visit = (node: Node) => {
      if (isExpressionStatement(node)) {
        const { expression } = node
        if (!isAwaitExpression(expression) && !isAssignment(expression) && !isHandled(expression))
          candidates.push(expression)
      }
      node.forEachChild(visit)
    }
    visit(file)
    const types = candidates.length ? checker.getTypeAtLocation(candidates) : []
    return candidates.filter((node, at) => {
      const type = types[at]
      return type !== undefined && isKnownPromise(type) && !isForRunner(checker, node)
    })
  }
}
