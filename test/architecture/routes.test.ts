import { features, type Operation } from '@forgelet/core/operations'
import { policy } from '@forgelet/core/policy'
import { expect, test } from 'vitest'
import { createInputReader } from '../../packages/http/src/request/input-reader.ts'
import { routes } from '../../packages/http/src/routes.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { toCamelCase } from '../../packages/http/src/wire-names.ts'
import { libraryOnly } from './library-only.ts'

const operations = Object.entries(features).flatMap(([feature, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ name: `${feature}.${verb}`, operation: operation as Operation })),
)
const nameOf = new Map(operations.map(({ name, operation }) => [operation, name]))
const documented = new Set(
  Object.entries(libraryOnly).flatMap(([feature, verbs]) => Object.keys(verbs).map((verb) => `${feature}.${verb}`)),
)
const routed = new Set<Operation>(routes.map(({ operation }) => operation))
const line = ({ method, path }: Route) => `${method} ${path}`

test('operations and routes are found', () => {
  expect(operations.length).toBeGreaterThan(40)
  expect(routes.length).toBeGreaterThan(10)
})

test('every operation has a route or a reason in library-only.ts', () => {
  const found = operations.filter(({ name, operation }) => !routed.has(operation) && !documented.has(name))
  expect(found.map(({ name }) => name)).toEqual([])
})

test('library-only.ts lists only existing operations without a route', () => {
  const found = [...documented].filter((name) => {
    const entry = operations.find((one) => one.name === name)
    return !entry || routed.has(entry.operation)
  })
  expect(found, 'remove these from library-only.ts').toEqual([])
})

test('every route runs an operation of the feature table', () => {
  expect(routes.filter(({ operation }) => !nameOf.has(operation)).map(line)).toEqual([])
})

test('no two routes differ only in parameter names', () => {
  const shapes = routes.map((route) => line(route).replace(/:\w+/g, ':'))
  expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([])
})

test('every path parameter is an input of the operation', () => {
  const found = routes.flatMap((route) =>
    [...route.path.matchAll(/:(\w+)/g)]
      .map(([, wire]) => ({ wire: wire as string, input: route.names[wire as string] ?? toCamelCase(wire as string) }))
      .filter(({ input }) => !Object.hasOwn(route.operation.entries, input))
      .map(({ wire }) => `${line(route)}: ${wire}`),
  )
  expect(found).toEqual([])
})

test('every renamed or required parameter of a route belongs to an input', () => {
  const found = routes.flatMap((route) => {
    const { fields } = createInputReader(route)
    const flattened = fields.filter(({ parent }) => parent !== undefined).map(({ input }) => input)
    const inputs = Object.values(route.names).filter(
      (input) => !Object.hasOwn(route.operation.entries, input) && !flattened.includes(input),
    )
    const required = route.required.filter((wire) => !fields.some((field) => field.wire === wire))
    return [...inputs, ...required].map((name) => `${line(route)}: ${name}`)
  })
  expect(found).toEqual([])
})

test('the policy defines the ability of every operation for all its kinds of subjects', () => {
  const rules = policy as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const found = operations.filter(({ operation }) => operation.kinds.some((kind) => !rules[kind]?.[operation.can]))
  expect(found.map(({ name }) => name)).toEqual([])
})
