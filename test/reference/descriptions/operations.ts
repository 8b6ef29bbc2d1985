import ts from 'typescript'
import { getComment, listObjectTypes, listProperties } from './comments.ts'
import { formatPlace, getProgram, sessionFile } from './program.ts'
import { describeSetting } from './settings.ts'

/** A field of an input or a result. */
export interface Field {
  /** `position.baseSha`; the fields of the items of a list have the path of the list. */
  readonly path: string
  /** Empty without a comment. */
  readonly description: string
  /** As in an editor: `string | undefined`. */
  readonly type: string
  readonly isOptional: boolean
  /** File and line of the declaration. */
  readonly place: string
}

/** A named type of results. */
export interface ResultType {
  readonly name: string
  readonly description: string
  readonly place: string
  readonly fields: readonly Field[]
}

export interface DescribedOperation {
  /** `labels.create`. */
  readonly name: string
  readonly description: string
  readonly place: string
  readonly inputs: readonly Field[]
  /** The type of its result: `Page<Label>`. */
  readonly result: string
  /** The fields of the result that are not those of a named type. */
  readonly resultFields: readonly Field[]
  /** The named types in the result. */
  readonly types: readonly string[]
}

export interface Descriptions {
  readonly operations: readonly DescribedOperation[]
  /** By name. */
  readonly types: ReadonlyMap<string, ResultType>
}

const typeFormat =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.InTypeAlias

/** The names of generic types; the operation lists their fields. */
const inlineTypes = new Set([
  'Page',
  'Partial',
  'Pick',
  'Omit',
  'Required',
  'Readonly',
  'Simplify',
  'Extract',
  'Record',
])

const nameOf = (type: ts.Type): string | undefined => {
  const symbol = type.aliasSymbol ?? type.symbol
  const name = symbol?.name
  return name === undefined || name.startsWith('__') || inlineTypes.has(name) ? undefined : name
}

const createReader = (checker: ts.TypeChecker) => {
  const types = new Map<string, ResultType>()

  const describe = (path: string, symbol: ts.Symbol, type: ts.Type): Field => ({
    path,
    description: getComment(symbol, checker) || describeSetting(path, symbol),
    type: checker.typeToString(type, undefined, typeFormat),
    isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
    place: symbol.declarations?.[0] ? formatPlace(symbol.declarations[0]) : '',
  })

  /** The fields of a type, with those of inner objects unless `visit` describes them elsewhere. */
  const listFields = (root: ts.Type, visit: (type: ts.Type) => boolean): readonly Field[] => {
    const fields = new Map<string, Field>()
    const open = new Set<ts.Type>()
    const walk = (type: ts.Type, prefix: string) => {
      const objects = listObjectTypes(type, checker)
      const names = objects.map((object) => new Set(listProperties(object, checker).map(({ symbol }) => symbol.name)))
      for (const object of objects) {
        if (open.has(object) || (prefix !== '' && visit(object))) continue
        open.add(object)
        for (const property of listProperties(object, checker)) {
          const { name } = property.symbol
          const path = `${prefix}${name}`
          const field = describe(path, property.symbol, property.type)
          const isOptional = field.isOptional || names.some((known) => !known.has(name))
          if (!fields.get(path)?.description) fields.set(path, { ...field, isOptional })
          walk(property.type, `${path}.`)
        }
        open.delete(object)
      }
    }
    walk(root, '')
    return [...fields.values()]
  }

  /** Describes a named type once; false for a type without a name. */
  const addType = (type: ts.Type): boolean => {
    const name = nameOf(type)
    if (name === undefined) return false
    if (types.has(name)) return true
    const symbol = type.aliasSymbol ?? type.symbol
    const entry = {
      name,
      description: getComment(symbol, checker),
      place: formatPlace(symbol.declarations?.[0] as ts.Node),
    }
    types.set(name, { ...entry, fields: [] })
    types.set(name, { ...entry, fields: listFields(type, addType) })
    return true
  }

  const readResult = (result: ts.Type) => {
    const named = new Set<string>()
    const visit = (type: ts.Type) => {
      const isNamed = addType(type)
      if (isNamed) named.add(nameOf(type) as string)
      return isNamed
    }
    const objects = listObjectTypes(result, checker)
    const resultFields = objects.flatMap((type) => (visit(type) ? [] : listFields(type, visit)))
    return { resultFields, types: [...named] }
  }

  const readOperation = (name: string, symbol: ts.Symbol): DescribedOperation => {
    const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures()
    if (!signature) throw new Error(`${name} is not a function`)
    const [input] = signature.parameters
    const returned = checker.getTypeArguments(signature.getReturnType() as ts.TypeReference)[0] as ts.Type
    return {
      name,
      description: getComment(symbol, checker),
      place: formatPlace(symbol.declarations?.[0] as ts.Node),
      inputs: input ? listFields(checker.getTypeOfSymbol(input), () => false) : [],
      result: checker.typeToString(returned, undefined, typeFormat),
      ...readResult(returned),
    }
  }

  return { readOperation, types }
}

/** The comments beside all operations, input fields and types of results. */
export const readFeatures = (): Descriptions => {
  const program = getProgram()
  const checker = program.getTypeChecker()
  const alias = program
    .getSourceFile(sessionFile)
    ?.statements.find(
      (node): node is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(node) && node.name.text === 'Features',
    )
  if (!alias) throw new Error(`${sessionFile} has no type Features`)
  const { readOperation, types } = createReader(checker)
  const operations = checker
    .getTypeAtLocation(alias)
    .getProperties()
    .flatMap((feature) =>
      checker
        .getTypeOfSymbol(feature)
        .getProperties()
        .map((operation) => readOperation(`${feature.name}.${operation.name}`, operation)),
    )
  return { operations, types }
}
