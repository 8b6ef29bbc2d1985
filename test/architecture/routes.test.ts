import { features, type Operation } from '@forgelet/core/operations'
import { policy } from '@forgelet/core/policy'
import { expect, test } from 'vitest'
import { inputReader } from '../../packages/http/src/input.ts'
import type { Route } from '../../packages/http/src/route.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { camel } from '../../packages/http/src/wire.ts'
import { libraryOnly } from './library-only.ts'

const operations = Object.entries(features).flatMap(([feature, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ name: `${feature}.${verb}`, operation: operation as Operation })),
)
const nameOf = new Map(operations.map(({ name, operation }) => [operation, name]))
const explained = new Set(
  Object.entries(libraryOnly).flatMap(([feature, verbs]) => Object.keys(verbs).map((verb) => `${feature}.${verb}`)),
)
const routed = new Set<Operation>(routes.map(({ operation }) => operation))
const line = ({ method, path }: Route) => `${method} ${path}`

test('there is something to look at', () => {
  expect(operations.length).toBeGreaterThan(40)
  expect(routes.length).toBeGreaterThan(10)
})

test('every operation has an address, or a reason to have none', () => {
  const found = operations.filter(({ name, operation }) => !routed.has(operation) && !explained.has(name))
  expect(found.map(({ name }) => name)).toEqual([])
})

test('the list of those without an address is up to date', () => {
  const found = [...explained].filter((name) => {
    const known = operations.find((one) => one.name === name)
    return !known || routed.has(known.operation)
  })
  expect(found, 'take these off the list').toEqual([])
})

test('every address runs an operation of the table of features', () => {
  expect(routes.filter(({ operation }) => !nameOf.has(operation)).map(line)).toEqual([])
})

test('no two addresses are the same but for the names of their parameters', () => {
  const shapes = routes.map((route) => line(route).replace(/:\w+/g, ':'))
  expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([])
})

test('every parameter of a path is an input of its operation', () => {
  const found = routes.flatMap((route) =>
    [...route.path.matchAll(/:(\w+)/g)]
      .map(([, wire]) => ({ wire: wire as string, input: route.names[wire as string] ?? camel(wire as string) }))
      .filter(({ input }) => !Object.hasOwn(route.operation.entries, input))
      .map(({ wire }) => `${line(route)}: ${wire}`),
  )
  expect(found).toEqual([])
})

test('every other name that a route gives belongs to an input, too', () => {
  const found = routes.flatMap((route) => {
    const { fields } = inputReader(route)
    const inputs = Object.values(route.names).filter((input) => !Object.hasOwn(route.operation.entries, input))
    const required = route.require.filter((wire) => !fields.some((field) => field.wire === wire))
    return [...inputs, ...required].map((name) => `${line(route)}: ${name}`)
  })
  expect(found).toEqual([])
})

test('what an operation asks for is in the policy, on every kind of thing that it acts on', () => {
  const rules = policy as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const found = operations.filter(({ operation }) => operation.kinds.some((kind) => !rules[kind]?.[operation.can]))
  expect(found.map(({ name }) => name)).toEqual([])
})
