import ts from 'typescript'
import type { Field, Wire } from '../../packages/http/src/reply/wire.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { toCamelCase } from '../../packages/http/src/wire-names.ts'
import { getProgram, root } from '../reference/descriptions/program.ts'

/** A property of a type of results. */
export interface ResultProperty {
  /** `Milestone.dueDate`. */
  readonly name: string
  /** `packages/core/src/features/planning/milestones/milestone.ts`. */
  readonly file: string
  /** Whether the JSON of a route contains it or is computed from it, or from the object that its id refers to. */
  readonly isShown: boolean
}

type AnyWire = Wire<unknown, Readonly<Record<string, Field>>>

/** The wires in a shape; none in a schema. */
const wiresIn = (shape: Field): readonly AnyWire[] => {
  if ('from' in shape) return wiresIn(shape.as)
  if ('items' in shape) return wiresIn(shape.items)
  if ('nullable' in shape) return wiresIn(shape.nullable)
  if ('optional' in shape) return wiresIn(shape.optional)
  if ('variants' in shape) return shape.variants.flatMap(wiresIn)
  return typeof shape === 'function' && 'fields' in shape ? [shape] : []
}

/** The wires of the replies of all routes, by title. */
const readWires = (): ReadonlyMap<string, AnyWire> => {
  const wires = new Map<string, AnyWire>()
  const add = (shape: Field | undefined): void => {
    for (const found of shape ? wiresIn(shape) : []) {
      if (wires.get(found.title) === found) continue
      wires.set(found.title, found)
      for (const field of Object.values(found.fields)) add(field)
    }
  }
  for (const { respond } of routes) {
    add(respond.shape)
    add(respond.alternative?.shape)
  }
  return wires
}

/** Finds out which names of properties a wire shows: those of its fields, and those in the functions that compute fields. */
const createReader = ({ fields }: AnyWire) => {
  const names = new Set(Object.keys(fields).map(toCamelCase))
  const code = Object.values(fields).flatMap((field) => ('from' in field ? String(field.from).split(/\W+/) : []))
  const words = new Set([...names, ...code])
  return (name: string) => words.has(name) || (name.endsWith('Id') && words.has(name.slice(0, -2)))
}

/** All properties of the interface that declares one: a wire can select some of them. */
const listSiblings = (declaration: ts.Declaration): readonly ts.Declaration[] =>
  ts.isInterfaceDeclaration(declaration.parent)
    ? declaration.parent.members.filter(ts.isPropertySignature)
    : [declaration]

/** The type and the title of `wire<Milestone>('Milestone')`. */
const parseWire = (node: ts.Node) => {
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'wire') return undefined
  const [type] = node.typeArguments ?? []
  const [title] = node.arguments
  return type && title && ts.isStringLiteral(title) ? { type, title: title.text } : undefined
}

/** The properties of all types that routes turn into JSON. */
export const readResultProperties = (): readonly ResultProperty[] => {
  const program = getProgram()
  const checker = program.getTypeChecker()
  const wires = readWires()
  const shown = new Map<ts.Declaration, boolean>()
  const visit = (node: ts.Node): void => {
    const found = parseWire(node)
    const wire = found && wires.get(found.title)
    if (wire) {
      const isShown = createReader(wire)
      for (const { name, declarations } of checker.getTypeFromTypeNode(found.type).getProperties()) {
        const [declaration] = declarations ?? []
        if (!declaration) continue
        for (const sibling of listSiblings(declaration)) shown.set(sibling, shown.get(sibling) ?? false)
        if (isShown(name)) shown.set(declaration, true)
      }
    }
    ts.forEachChild(node, visit)
  }
  for (const file of program.getSourceFiles()) if (file.fileName.includes('/packages/http/src/')) visit(file)
  return Array.from(shown, ([declaration, isShown]) => {
    const { parent } = declaration
    const owner = ts.isInterfaceDeclaration(parent) ? `${parent.name.text}.` : ''
    const name = ts.getNameOfDeclaration(declaration)?.getText() ?? ''
    return { name: `${owner}${name}`, file: declaration.getSourceFile().fileName.slice(root.length + 1), isShown }
  })
}
