import { features } from '@forgelet/core/operations'
import { expect, test } from 'vitest'
import { auditTable } from '../../packages/core/src/audit/table.ts'
import { unauditedOperations } from './unaudited-operations.ts'

const commands = Object.entries<Readonly<Record<string, { readonly mode: string }>>>(features).flatMap(
  ([family, operations]) =>
    Object.entries(operations).flatMap(([name, { mode }]) => (mode === 'command' ? [`${family}.${name}`] : [])),
)

const audited = new Set(Object.keys(auditTable))
const unaudited = commands.filter((name) => !audited.has(name))

test('every command is recorded as an audit event, or has a reason why it is not', () => {
  expect(unaudited.filter((name) => !unauditedOperations.some(([pattern]) => pattern.test(name)))).toEqual([])
})

test('only commands are recorded', () => {
  expect([...audited].filter((name) => !commands.includes(name))).toEqual([])
})

test('no reason is without a command', () => {
  const unused = unauditedOperations.filter(([pattern]) => !unaudited.some((name) => pattern.test(name)))
  expect(unused.map(([pattern]) => pattern.source)).toEqual([])
})
