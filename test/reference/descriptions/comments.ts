import ts from 'typescript'

/** The text of the comment beside a declaration, in one line; empty without a comment. Tags are not part of it. */
export const getComment = (symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string =>
  symbol ? ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim() : ''

/** Whether a symbol is declared outside the packages, such as the methods of arrays. */
export const isForeign = (symbol: ts.Symbol): boolean => {
  const { declarations = [] } = symbol
  return declarations.length > 0 && !declarations.some((node) => node.getSourceFile().fileName.includes('/packages/'))
}

const wrappers = new Set(['Promise', 'Map', 'ReadonlyMap', 'AsyncIterable', 'Array', 'ReadonlyArray'])

/** The types inside of arrays, promises, unions and records; the type itself if it is an object. */
export const listObjectTypes = (type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] => {
  if (type.isUnion()) return type.types.flatMap((member) => listObjectTypes(member, checker))
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection()
  if (!isObject || type.getCallSignatures().length) return []
  if (checker.isTupleType(type) || wrappers.has(type.symbol?.name)) {
    return checker.getTypeArguments(type as ts.TypeReference).flatMap((inner) => listObjectTypes(inner, checker))
  }
  if (type.symbol && isForeign(type.symbol) && type.symbol.name !== '__type') return []
  const values = type.getStringIndexType()
  return [type, ...(values ? listObjectTypes(values, checker) : [])]
}

/** The fields of an object type, without methods and without fields that a member of a union excludes. */
export const listProperties = (
  type: ts.Type,
  checker: ts.TypeChecker,
): readonly { readonly symbol: ts.Symbol; readonly type: ts.Type }[] =>
  type
    .getProperties()
    .filter((symbol) => !isForeign(symbol))
    .map((symbol) => ({ symbol, type: checker.getTypeOfSymbol(symbol) }))
    .filter(({ type }) => !type.getCallSignatures().length && !(type.flags & ts.TypeFlags.Undefined))
