import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { DescribedOperation, Field } from './operations.ts'
import { getDescriptions } from './read-comments.ts'

type Texts = ReadonlyMap<string, string>

interface Insertion {
  readonly position: number
  readonly text: string
}

const toTexts = (fields: readonly Field[]): Texts => new Map(fields.map(({ path, description }) => [path, description]))

const toComment = (node: ts.Node, description: string): Insertion => {
  const position = node.getStart()
  const { character } = node.getSourceFile().getLineAndCharacterOfPosition(position)
  return { position, text: `/** ${description.replaceAll('*/', '*\\/')} */\n${' '.repeat(character)}` }
}

const isExcluded = ({ type }: ts.PropertySignature) =>
  type === undefined || /^undefined( \| undefined)*$/.test(type.getText())

const annotateProperty = (member: ts.TypeElement, texts: Texts, prefix: string): readonly Insertion[] => {
  if (!ts.isPropertySignature(member) || isExcluded(member)) return []
  const path = `${prefix}${member.name.getText()}`
  const description = texts.get(path)
  const isDescribed = ts.getJSDocCommentsAndTags(member).length > 0
  return [
    ...(description && !isDescribed ? [toComment(member, description)] : []),
    ...annotateType(member.type as ts.TypeNode, texts, `${path}.`),
  ]
}

const annotateType = (node: ts.Node, texts: Texts, prefix: string): readonly Insertion[] => {
  if (ts.isTypeLiteralNode(node)) return node.members.flatMap((member) => annotateProperty(member, texts, prefix))
  if (ts.isTypeReferenceNode(node)) {
    const inner = node.typeName.getText() === 'Page' ? `${prefix}items.` : prefix
    return (node.typeArguments ?? []).flatMap((argument) => annotateType(argument, texts, inner))
  }
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => {
    children.push(child)
  })
  return children.flatMap((child) => annotateType(child, texts, prefix))
}

const listProperties = (type: ts.TypeNode | undefined): readonly ts.PropertySignature[] =>
  type && ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : []

const annotateOperation = (member: ts.PropertySignature, operation: DescribedOperation): readonly Insertion[] => {
  const [input, result] = member.type && ts.isTypeReferenceNode(member.type) ? (member.type.typeArguments ?? []) : []
  return [
    ...(operation.description ? [toComment(member, operation.description)] : []),
    ...(input ? annotateType(input, toTexts(operation.inputs), '') : []),
    ...(result ? annotateType(result, toTexts(operation.resultFields), '') : []),
  ]
}

/** The declarations with comments, and the number of described operations. */
const annotate = (text: string, operations: ReadonlyMap<string, DescribedOperation>) => {
  const source = ts.createSourceFile('features.d.ts', text, ts.ScriptTarget.Latest, true)
  const table = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find(({ name }) => name.getText() === 'features')
  const found = listProperties(table?.type).flatMap((feature) =>
    listProperties(feature.type).flatMap((member) => {
      const operation = operations.get(`${feature.name.getText()}.${member.name.getText()}`)
      return operation ? [{ member, operation }] : []
    }),
  )
  const insertions = found.flatMap(({ member, operation }) => annotateOperation(member, operation))
  const annotated = insertions
    .toSorted((a, b) => b.position - a.position)
    .reduce((rest, { position, text }) => rest.slice(0, position) + text + rest.slice(position), text)
  return { annotated, count: found.length }
}

/**
 * Adds the comments of operations, input fields and results to the built declarations of core. TypeScript omits the comments of
 * inferred object types in declarations, so editors would not show them to users of the package. Returns the number of operations.
 */
export const annotateDeclarations = (folder: string): number => {
  const operations = new Map(getDescriptions().operations.map((operation) => [operation.name, operation]))
  let described = 0
  for (const path of globSync(join(folder, 'dist/*.d.ts'))) {
    const { annotated, count } = annotate(readFileSync(path, 'utf8'), operations)
    if (count === 0) continue
    writeFileSync(path, annotated)
    described += count
  }
  if (described !== operations.size) {
    throw new Error(`The declarations have ${described} of ${operations.size} operations: build them with tsup first`)
  }
  return described
}
