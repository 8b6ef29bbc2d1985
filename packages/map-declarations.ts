import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { addMapping, GenMapping, toEncodedMap } from '@jridgewell/gen-mapping'
import ts from 'typescript'
import { getProgram, listSources } from '../test/reference/descriptions/program.ts'

const program = getProgram()
const checker = program.getTypeChecker()

type Declaration = ts.Declaration & { readonly name?: ts.Node }

const isDeclaration = (node: ts.Node): node is Declaration =>
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isVariableDeclaration(node)

/** The declarations of a file outside functions. */
const listDeclarations = (file: ts.SourceFile): readonly Declaration[] =>
  file.statements
    .flatMap((node): readonly ts.Node[] => (ts.isVariableStatement(node) ? node.declarationList.declarations : [node]))
    .filter(isDeclaration)

const nameOf = ({ name }: Declaration): string => (name && ts.isIdentifier(name) ? name.text : '')

const typeOf = (node: Declaration): ts.Type => {
  const symbol = checker.getSymbolAtLocation(node.name ?? node) as ts.Symbol
  return ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)
    ? checker.getTypeOfSymbol(symbol)
    : checker.getDeclaredTypeOfSymbol(symbol)
}

const listMembers = (node: ts.Node): readonly (ts.TypeElement | ts.ClassElement)[] =>
  ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node) || ts.isClassDeclaration(node) ? [...node.members] : []

const memberNames = (node: ts.Node) =>
  listMembers(node)
    .map(({ name }) => name?.getText())
    .toSorted()
    .join()

type Sources = ReadonlyMap<string, readonly Declaration[]>

/** The declarations in the sources of a package, by name. */
const getSources = (folder: string): Sources =>
  Map.groupBy(
    listSources(folder).flatMap((path) => listDeclarations(program.getSourceFile(path) as ts.SourceFile)),
    nameOf,
  )

/** The declaration in the sources. The names of private declarations are not unique: their members decide. */
const findSource = (node: Declaration, declarations: Sources): Declaration | undefined => {
  // Bundled declarations with equal names have the names `Options` and `Options$1`.
  const candidates = declarations.get(nameOf(node).replace(/\$\d+$/, '')) ?? []
  const sameKind = candidates.filter(({ kind }) => kind === node.kind)
  if (sameKind.length < 2) return sameKind[0]
  const same = sameKind.filter((candidate) => memberNames(candidate) === memberNames(node))
  return same.length === 1 ? same[0] : undefined
}

const mapFile = (path: string, folder: string, declarations: Sources): number => {
  const text = readFileSync(path, 'utf8')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const map = new GenMapping({ file: basename(path) })
  let count = 0

  const connect = (from: ts.Node, to: ts.Node) => {
    const source = to.getSourceFile()
    if (!source.fileName.startsWith(join(folder, 'src'))) return
    const toPosition = (node: ts.Node) => {
      const { line, character } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart())
      return { line: line + 1, column: character }
    }
    addMapping(map, {
      generated: toPosition(from),
      original: toPosition(to),
      source: relative(dirname(path), source.fileName).replaceAll('\\', '/'),
    })
    count++
  }

  const connectMembers = (node: ts.Node, type: ts.Type) => {
    for (const member of listMembers(node)) {
      const property = member.name && checker.getPropertyOfType(type, member.name.getText())
      const declaration = property?.declarations?.[0] as Declaration | undefined
      if (!member.name || !property || !declaration) continue
      connect(member.name, declaration.name ?? declaration)
      if (ts.isPropertySignature(member) && member.type) connectType(member.type, checker.getTypeOfSymbol(property))
    }
  }

  const connectType = (node: ts.TypeNode, declared: ts.Type) => {
    const type = checker.getNonNullableType(declared)
    if (ts.isTypeLiteralNode(node)) return connectMembers(node, type)
    if (ts.isUnionTypeNode(node)) {
      for (const part of node.types) if (ts.isTypeLiteralNode(part)) connectMembers(part, type)
    }
    if (ts.isTypeReferenceNode(node) && node.typeArguments) {
      const given = type.aliasTypeArguments ?? checker.getTypeArguments(type as ts.TypeReference)
      node.typeArguments.forEach((argument, at) => {
        if (given[at]) connectType(argument, given[at])
      })
    }
  }

  for (const declaration of listDeclarations(file)) {
    const source = findSource(declaration, declarations)
    if (!source || !declaration.name) continue
    connect(declaration.name, source.name ?? source)
    connectMembers(declaration, typeOf(source))
    if ((ts.isVariableDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) && declaration.type)
      connectType(declaration.type, typeOf(source))
  }
  if (count === 0) return 0
  writeFileSync(`${path}.map`, JSON.stringify(toEncodedMap(map)))
  writeFileSync(path, `${text.trimEnd()}\n//# sourceMappingURL=${basename(path)}.map\n`)
  return count
}

/**
 * Writes declaration maps: "Go to definition" leads to the sources in the package. Those of TypeScript do not contain operations,
 * because the types of tables of operations are inferred. These maps connect each name in the built declarations with the
 * declaration of the same name in the sources, and each property with that of the same type. Returns the number of names.
 */
export const mapDeclarations = (folder: string): number => {
  const declarations = getSources(folder)
  const files = globSync('dist/*.d.ts', { cwd: folder })
  const count = files.reduce((sum, file) => sum + mapFile(join(folder, file), folder, declarations), 0)
  if (count === 0) throw new Error('The declarations have no names of the sources: build them with tsup first')
  return count
}
