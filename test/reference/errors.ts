import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const path = join(import.meta.dirname, '..', '..', 'packages', 'core', 'src', 'kernel', 'error-codes.ts')

const valuePattern = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+\| '(\w+)'/g

interface Value {
  readonly name: string
  readonly description: string
}

/** The values of a union type of strings, with the comments before them. */
const readValues = (declaration: string): Value[] =>
  [...declaration.matchAll(valuePattern)].map(([, comment = '', name = '']) => ({
    name,
    description: comment.replace(/\s+(\* )?/g, ' ').trim(),
  }))

const [, codeDeclaration = '', reasonDeclaration = ''] = readFileSync(path, 'utf8').split(/^export type /m)

const errorCodes = readValues(codeDeclaration)
/** Every value of `PlatformError.reason`; its description begins with the codes. */
export const errorReasons = readValues(reasonDeclaration)

const table = (column: string, values: readonly Value[]) =>
  [
    `| ${column} | Meaning |`,
    '| --- | --- |',
    ...values.map((value) => `| \`${value.name}\` | ${value.description} |`),
  ].join('\n')

/** The page of all codes and reasons of errors. */
export const errorsPage = (): string => `# Errors

The values of \`code\` and \`reason\` of a \`PlatformError\`. \`pnpm docs:reference\` generates this page, and a test checks that it is up
to date.

## Codes

Every error has a code.

${table('Code', errorCodes)}

## Reasons

Some errors have a reason, which is more specific than their code. Later versions can add reasons.

${table('Reason', errorReasons)}
`
