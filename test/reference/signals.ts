import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { reactions } from '../../packages/core/src/features.ts'

const path = join(import.meta.dirname, '..', '..', 'packages', 'core', 'src', 'contract', 'signals.ts')
const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)

const findInterface = (name: string | undefined) =>
  source.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  )

const table = findInterface('Signals')

const properties = (node: ts.InterfaceDeclaration | ts.TypeLiteralNode) => node.members.filter(ts.isPropertySignature)

const nameOf = ({ name }: ts.PropertySignature) => (ts.isStringLiteral(name) ? name.text : name.getText())

const commentOf = (node: ts.Node): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => (typeof comment === 'string' ? comment.replace(/\s+/g, ' ') : ''))
    .join(' ')

const quote = (name: string, type: string) => `\`${name}: ${type.replaceAll('|', '\\|')}\``

const payloadOf = ({ type }: ts.PropertySignature) => {
  const declaration = type && ts.isTypeLiteralNode(type) ? type : findInterface(type?.getText())
  return declaration ? properties(declaration).map((field) => quote(nameOf(field), field.type?.getText() ?? '')) : []
}

/** Every signal with its declaration in `Signals`. */
export const signals = table ? properties(table).map((property) => ({ name: nameOf(property), property })) : []

/** The page of all signals that a host can subscribe to. */
export function signalsPage(): string {
  const reactionCounts = new Map<string, number>()
  for (const { signal } of reactions) reactionCounts.set(signal, (reactionCounts.get(signal) ?? 0) + 1)
  const rows = signals.map(
    ({ name, property }) =>
      `| \`${name}\` | ${payloadOf(property).join(', ')} | ${reactionCounts.get(name) ?? '–'} | ${commentOf(property) || '–'} |`,
  )
  return `# Signals

The domain events of the platform. Features react to them in the same transaction; a host subscribes with
\`platform.on(name, listener)\`, and listeners run after the commit. *Reactions* is the number of reactions of the platform. The
payload types are exported from \`@forgelet/core/operations\`. \`pnpm docs:reference\` generates this page, and a test checks that it
is up to date.

| Signal | Payload | Reactions | Note |
| --- | --- | --- | --- |
${rows.join('\n')}
`
}
