import ts from 'typescript'
import { getComment } from './comments.ts'
import { formatPlace, getProgram, seedFile } from './program.ts'

/** A comment beside an entry of the seed schema. */
export interface SeedComment {
  readonly text: string
  readonly place: string
}

/** Comments beside `defineSection('labels', …)`, by the type of the schema of the items and the name. */
const readSections = (checker: ts.TypeChecker) => {
  const sections = new Map<ts.Type, Map<string, SeedComment>>()
  const visit = (node: ts.Node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isCallExpression(node.initializer)) {
      const [name, schema] = node.initializer.arguments
      if (node.initializer.expression.getText() === 'defineSection' && name && schema && ts.isStringLiteral(name)) {
        const text = getComment(checker.getSymbolAtLocation(node.name), checker)
        const type = checker.getTypeAtLocation(schema)
        const named = sections.get(type) ?? new Map<string, SeedComment>()
        sections.set(type, named.set(name.text, { text, place: formatPlace(node) }))
      }
    }
    ts.forEachChild(node, visit)
  }
  for (const file of getProgram().getSourceFiles()) if (file.fileName.includes('/core/src/seed/')) visit(file)
  return sections
}

const getPropertyType = (type: ts.Type, name: string, checker: ts.TypeChecker) => {
  const symbol = type.getProperty(name)
  return symbol && checker.getTypeOfSymbol(symbol)
}

/** The comments beside the entries of the seed schema, by path. */
export const readSeedComments = (): ReadonlyMap<string, SeedComment> => {
  const program = getProgram()
  const checker = program.getTypeChecker()
  const sections = readSections(checker)
  const comments = new Map<string, SeedComment>()

  const walk = (schema: ts.Type, prefix: string) => {
    for (const name of ['wrapped', 'item']) {
      const inner = getPropertyType(schema, name, checker)
      if (inner) walk(inner, prefix)
    }
    const options = getPropertyType(schema, 'options', checker)
    if (options && checker.isTupleType(options)) {
      for (const option of checker.getTypeArguments(options as ts.TypeReference)) walk(option, prefix)
    }
    for (const entry of getPropertyType(schema, 'entries', checker)?.getProperties() ?? []) {
      readEntry(entry, `${prefix}${entry.name}`)
    }
  }

  /** The comment of the constant in `createdAt: Timestamp`. */
  const readConstant = (declaration: ts.Declaration | undefined) => {
    const isConstant = declaration && ts.isPropertyAssignment(declaration) && ts.isIdentifier(declaration.initializer)
    const symbol = isConstant ? checker.getSymbolAtLocation(declaration.initializer) : undefined
    const isImported = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    return getComment(isImported ? checker.getAliasedSymbol(symbol) : symbol, checker)
  }

  const readEntry = (entry: ts.Symbol, path: string) => {
    const type = checker.getTypeOfSymbol(entry)
    const list = getPropertyType(type, 'wrapped', checker)
    const item = list && getPropertyType(list, 'item', checker)
    const section = item && sections.get(item)?.get(entry.name)
    const [declaration] = entry.declarations ?? []
    const text = getComment(entry, checker) || readConstant(declaration)
    if (text && declaration) comments.set(path, { text, place: formatPlace(declaration) })
    else if (section) comments.set(path, section)
    else if (declaration) comments.set(path, { text: '', place: formatPlace(declaration) })
    walk(type, `${path}.`)
  }

  const file = program.getSourceFile(seedFile)
  const symbol = file && checker.getSymbolAtLocation(file)
  const schema = symbol && checker.getExportsOfModule(symbol).find(({ name }) => name === 'SeedSchema')
  if (!schema) throw new Error(`${seedFile} has no SeedSchema`)
  walk(checker.getTypeOfSymbol(schema), '')
  return comments
}
