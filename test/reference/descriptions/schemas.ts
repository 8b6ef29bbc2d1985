import ts from 'typescript'
import { toSnakeCase } from '../../../packages/http/src/wire-names.ts'
import { getComment, isForeign, listObjectTypes, listProperties } from './comments.ts'
import { formatPlace, getProgram } from './program.ts'
import { describeSetting } from './settings.ts'

/** The JSON of a domain type, as `wire` defines it. */
export interface WireDescription {
  /** The name of its schema in the OpenAPI document. */
  readonly title: string
  readonly description: string
  readonly place: string
  /** By path in wire names: `task_completion_status.count`. Empty without a comment. */
  readonly fields: Readonly<Record<string, string>>
}

type Fields = Record<string, string>

/** `wire<Label>('Label')({ … })`. */
const parseWire = (node: ts.Node) => {
  if (!ts.isCallExpression(node) || !ts.isCallExpression(node.expression)) return undefined
  const { expression, typeArguments, arguments: titles } = node.expression
  const [fields] = node.arguments
  const [title] = titles
  const [source] = typeArguments ?? []
  if (!ts.isIdentifier(expression) || expression.text !== 'wire') return undefined
  return fields && source && title && ts.isStringLiteral(title) ? { title: title.text, source, fields } : undefined
}

const createReader = (checker: ts.TypeChecker) => {
  const getType = (type: ts.Type, property: string): ts.Type | undefined => {
    const symbol = type.getProperty(property)
    return symbol && checker.getTypeOfSymbol(symbol)
  }

  /** Comments beside the entries of a valibot schema. */
  const addEntries = (schema: ts.Type, prefix: string, into: Fields) => {
    for (const property of ['as', 'wrapped', 'item']) {
      const inner = getType(schema, property)
      if (inner) addEntries(inner, prefix, into)
    }
    const entries = getType(schema, 'entries')
    for (const entry of entries?.getProperties() ?? []) {
      const path = prefix === '' ? entry.name : `${prefix}.${entry.name}`
      into[path] ||= getComment(entry, checker)
      addEntries(checker.getTypeOfSymbol(entry), path, into)
    }
  }

  /** Comments beside the properties of a domain type, by wire name. */
  const addProperties = (type: ts.Type, prefix: string, into: Fields, depth = 0) => {
    for (const object of depth < 3 ? listObjectTypes(type, checker) : []) {
      for (const property of listProperties(object, checker)) {
        const { name } = property.symbol
        const path = `${prefix}${toSnakeCase(name)}`
        into[path] ||= getComment(property.symbol, checker) || describeSetting(name, property.symbol)
        addProperties(property.type, `${path}.`, into, depth + 1)
      }
    }
  }

  const describeType = (type: ts.Type): string => {
    const symbol = type.aliasSymbol ?? type.symbol
    return symbol && !isForeign(symbol) ? getComment(symbol, checker) : ''
  }

  const readWire = (node: ts.Node): WireDescription | undefined => {
    const found = parseWire(node)
    if (!found) return undefined
    const fields: Fields = {}
    for (const symbol of checker.getTypeAtLocation(found.fields).getProperties()) {
      fields[symbol.name] = getComment(symbol, checker)
      addEntries(checker.getTypeOfSymbol(symbol), symbol.name, fields)
    }
    const source = checker.getTypeFromTypeNode(found.source)
    addProperties(source, '', fields)
    const declaration = ts.findAncestor(node, ts.isVariableDeclaration)
    const comment = declaration && getComment(checker.getSymbolAtLocation(declaration.name), checker)
    return { title: found.title, description: describeType(source) || comment || '', place: formatPlace(node), fields }
  }

  /** `controlRoute('PUT /clock', 'Sets the clock', v.strictObject({ … }), …)`. */
  const readControlRoute = (node: ts.Node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'controlRoute') return undefined
    const [line, , input] = node.arguments
    if (!line || !ts.isStringLiteral(line) || !input) return undefined
    const fields: Fields = {}
    addEntries(checker.getTypeAtLocation(input), '', fields)
    return { line: line.text, fields }
  }

  return { readWire, readControlRoute }
}

interface HttpDescriptions {
  /** The comments beside the fields of all wires: those of the wire, and those of its domain type for the others. */
  readonly wires: readonly WireDescription[]
  /** The inputs of routes of the control plane: `PUT /clock` → `frozen` → text. */
  readonly controlInputs: ReadonlyMap<string, Fields>
}

/** The comments beside the wires and the inputs of the control plane. */
export const readHttp = (): HttpDescriptions => {
  const program = getProgram()
  const { readWire, readControlRoute } = createReader(program.getTypeChecker())
  const wires: WireDescription[] = []
  const controlInputs = new Map<string, Fields>()
  const visit = (node: ts.Node) => {
    const wire = readWire(node)
    if (wire) wires.push(wire)
    const route = readControlRoute(node)
    if (route) controlInputs.set(route.line, route.fields)
    ts.forEachChild(node, visit)
  }
  for (const file of program.getSourceFiles()) if (file.fileName.includes('/packages/http/src/')) visit(file)
  return { wires, controlInputs }
}
