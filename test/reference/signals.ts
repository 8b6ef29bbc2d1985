import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { reactions } from '../../packages/core/src/features.ts'

const path = join(import.meta.dirname, '..', '..', 'packages', 'core', 'src', 'signals.ts')
const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)

const table = source.statements.find(
  (statement): statement is ts.InterfaceDeclaration =>
    ts.isInterfaceDeclaration(statement) && statement.name.text === 'Signals',
)

const properties = (node: ts.InterfaceDeclaration | ts.TypeLiteralNode) => node.members.filter(ts.isPropertySignature)

const nameOf = ({ name }: ts.PropertySignature) => (ts.isStringLiteral(name) ? name.text : name.getText())

const commentOf = (node: ts.Node): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => (typeof comment === 'string' ? comment.replace(/\s+/g, ' ') : ''))
    .join(' ')

const payloadOf = ({ type }: ts.PropertySignature) =>
  type && ts.isTypeLiteralNode(type)
    ? properties(type).map((field) => `\`${nameOf(field)}: ${field.type?.getText().replaceAll('|', '\\|')}\``)
    : []

/** Every fact with what it tells, as the table of signals has it. */
export const facts = table ? properties(table).map((fact) => ({ name: nameOf(fact), fact })) : []

/** The page of all facts that a host can listen to. */
export function signalsPage(): string {
  const heard = new Map<string, number>()
  for (const { to } of reactions) heard.set(to, (heard.get(to) ?? 0) + 1)
  const rows = facts.map(
    ({ name, fact }) =>
      `| \`${name}\` | ${payloadOf(fact).join(', ')} | ${heard.get(name) ?? '–'} | ${commentOf(fact) || '–'} |`,
  )
  return `# Signals

The facts that features tell each other, and that a host hears with \`platform.on(name, listener)\` after the commit that made
them true. This page is generated (\`pnpm docs:reference\`); a test keeps it up to date. *Reactions* counts what the platform
itself does in the same transaction. The types are those of \`@forgelet/core/operations\`.

| Fact | Tells | Reactions | Note |
| --- | --- | --- | --- |
${rows.join('\n')}
`
}
