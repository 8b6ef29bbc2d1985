import { styleText } from 'node:util'
import { defined, features, type Operation } from '@forgelet/core/operations'
import type { GenericSchema } from 'valibot'
import { getInputText, getOperationText } from '../openapi/descriptions.ts'
import { createInputSchema, isOptional, type Json } from '../openapi/json-schema.ts'
import { describePermittedUsers } from '../openapi/permissions.ts'
import { routes } from '../routes.ts'
import { operationNames } from '../routing/operation-names.ts'
import { toSnakeCase } from '../wire-names.ts'
import { UsageError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'
import type { jsonOption } from './options.ts'
import { printJson, table } from './table.ts'

interface FieldDescription {
  /** In the library. */
  readonly name: string
  /** In the HTTP API; undefined without a route. */
  readonly httpName: string | undefined
  readonly type: string
  readonly required: boolean
  readonly description: string
}

interface OperationDescription {
  readonly name: string
  readonly description: string
  readonly allowedTo: string
  readonly routes: readonly string[]
  readonly fields: readonly FieldDescription[]
}

/** `string`, `integer or string`, `asc, desc`. */
const describeType = ({ type, enum: values, anyOf, items, const: value }: Json): string => {
  if (Array.isArray(anyOf)) return anyOf.map(describeType).join(' or ')
  if (Array.isArray(values)) return values.join(', ')
  if (items) return `list of ${describeType(items as Json)}`
  return String(type ?? value ?? 'any')
}

const describeField = (operation: string, name: string, schema: GenericSchema, hasRoute: boolean): FieldDescription => {
  const httpName = toSnakeCase(name)
  return {
    name,
    httpName: hasRoute ? httpName : undefined,
    type: describeType(createInputSchema(schema)),
    required: !isOptional(schema),
    description: getInputText(operation, httpName) ?? '',
  }
}

const describeOperation = (name: string, operation: Operation): OperationDescription => {
  const ownRoutes = routes.filter((route) => route.operation === operation)
  return {
    name,
    description: getOperationText(name) ?? '',
    allowedTo: describePermittedUsers({ path: '', operation }),
    routes: ownRoutes.map(({ method, path }) => `${method} ${path}`),
    fields: Object.entries(operation.entries).map(([field, schema]) =>
      describeField(name, field, schema as GenericSchema, ownRoutes.length > 0),
    ),
  }
}

/** The operation of this name, or all operations of a feature. */
const findOperations = (name: string | undefined): readonly OperationDescription[] => {
  const found = [...operationNames].filter(
    ([, key]) => name === undefined || key === name || key.startsWith(`${name}.`),
  )
  if (found.length === 0) {
    const feature = defined(String(name).split('.')[0])
    const others = [...operationNames.values()].filter((key) => key.startsWith(`${feature}.`))
    const names = others.length ? others.join(', ') : Object.keys(features).join(', ')
    throw new UsageError(`There is no operation or feature ${name}. Choose one of ${names}`)
  }
  return found.map(([operation, key]) => describeOperation(key, operation))
}

const getFirstSentence = (text: string) => /^.*?[.:](?= |$)/.exec(text)?.[0] ?? text

const formatList = (operations: readonly OperationDescription[]): string =>
  table(
    ['operation', 'description'],
    operations.map(({ name, description }) => [name, getFirstSentence(description)]),
    process.stdout,
  )

const titled = (title: string) => styleText('bold', title, { stream: process.stdout })

const formatOperation = ({ name, description, allowedTo, routes, fields }: OperationDescription): string => {
  // Most names are the same over HTTP.
  const hasHttpNames = fields.some((field) => field.httpName !== undefined && field.httpName !== field.name)
  const headings = ['field', ...(hasHttpNames ? ['over HTTP'] : []), 'type', 'required', 'description']
  const rows = fields.map((field) => [
    field.name,
    ...(hasHttpNames ? [field.httpName ?? ''] : []),
    field.type,
    field.required ? 'yes' : 'no',
    field.description,
  ])
  return [
    `${titled(name)}\n  ${description}\n`,
    `${titled('Allowed to')}\n  ${allowedTo}\n`,
    `${titled('Routes')}\n${routes.length ? routes.map((line) => `  ${line}\n`).join('') : '  none: library only\n'}`,
    ...(rows.length ? [table(headings, rows, process.stdout)] : []),
  ].join('\n')
}

/** Prints the operations of the library and their routes. */
export const operationsCommand = async ({ args, options }: Invocation<typeof jsonOption>): Promise<void> => {
  const [name] = args
  const operations = findOperations(name)
  const [first] = operations
  if (options.json) printJson(operations)
  else process.stdout.write(first?.name === name ? formatOperation(defined(first)) : formatList(operations))
}
