import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { features, type Operation } from '@forgelet/core/operations'
import { expect, test } from 'vitest'
import { createInputReader } from '../../packages/http/src/request/input-reader.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { root } from '../reference/descriptions/program.ts'

/**
 * Inputs of routed operations that no route has, such as `secret` of tokens: no test of the HTTP API notices one without an effect.
 * Each is in a call of a test, or is the same field as one that is, or that a route has.
 */

/** Inputs in calls whose arguments are variables, with the test. */
const elsewhere: Readonly<Record<string, string>> = {
  'imports.createProject author': 'packages/core/src/features/integration/archives/archives.test.ts',
  'imports.createGroup author': 'packages/core/src/features/integration/archives/archives.test.ts',
}

const operations = Object.entries(features).flatMap(([family, table]) =>
  Object.entries(table as Readonly<Record<string, Operation>>).map(([name, operation]) => ({
    name: `${family}.${name}`,
    operation,
  })),
)

const routed = new Map<Operation, Set<string>>()
for (const route of routes) {
  const inputs = routed.get(route.operation) ?? new Set()
  for (const { input } of createInputReader(route).fields) inputs.add(input)
  for (const input of Object.keys(route.fixedInput ?? {})) inputs.add(input)
  if (route.rangeStart !== undefined) inputs.add(route.rangeStart)
  routed.set(route.operation, inputs)
}

/** The end of the object that begins at a place of a text. */
const findEnd = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const letter = text.charAt(at)
    if ('{[('.includes(letter)) depth++
    else if ('}])'.includes(letter) && --depth === 0) return at
  }
  return text.length
}

/** The words in the arguments of the calls of each operation: `labels.create({ project, name })`. */
const readCalls = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const calls = new Map<string, Set<string>>()
  for (const path of globSync(['packages/*/src/**/*.test.ts', 'test/**/*.ts'], { cwd: root })) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const { 0: call, 1: name = '', index } of text.matchAll(/\b(\w+\.\w+)\(\s*(?=\{)/g)) {
      const start = index + call.length
      const words = calls.get(name) ?? new Set()
      for (const word of text.slice(start, findEnd(text, start)).split(/\W+/)) words.add(word)
      calls.set(name, words)
    }
  }
  return calls
}

test('every input that only the library has is tested', () => {
  const calls = readCalls()
  const inputs = operations.flatMap(({ name, operation }) =>
    Object.entries(operation.entries).map(([input, field]) => ({
      name: `${name} ${input}`,
      field,
      isRouted: routed.get(operation)?.has(input) ?? false,
      isPublic: routed.has(operation),
      isCalled: calls.get(name)?.has(input) ?? false,
    })),
  )
  const tested = new Set(inputs.filter(({ isRouted, isCalled }) => isRouted || isCalled).map(({ field }) => field))
  const hidden = inputs.filter(({ isPublic, isRouted }) => isPublic && !isRouted)
  expect(hidden.length).toBeGreaterThan(50)
  const untested = hidden.filter(({ field }) => !tested.has(field)).map(({ name }) => name)
  expect(
    untested.filter((name) => !(name in elsewhere)),
    'test its effect in packages/core/src/library-inputs.test.ts',
  ).toEqual([])
  expect(Object.keys(elsewhere).filter((name) => !untested.includes(name))).toEqual([])
})
