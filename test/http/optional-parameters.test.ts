import { describe, expect, test } from 'vitest'
import { getInputReader, type InputField } from '../../packages/http/src/request/input-reader.ts'
import { parseQuery } from '../../packages/http/src/request/parameters.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { toLine } from './valid-requests.ts'

/** Every optional parameter of every route, as `POST /projects/:id/issues: due_date`. */
const parameters = routes
  .flatMap((route) => getInputReader(route).fields.map((field) => ({ line: `${toLine(route)}: ${field.wire}`, field })))
  .filter(({ field }) => !field.inPath && field.schema.type === 'optional')

interface Schema {
  readonly type: string
  readonly wrapped?: Schema
  readonly pipe?: readonly { readonly type: string; readonly metadata?: { readonly format?: string } }[]
}

/** The schema of a value that is present and not null. */
const unwrap = (schema: Schema): Schema => (schema.wrapped ? unwrap(schema.wrapped) : schema)

const valueSchema = ({ schema }: InputField) => unwrap(schema as unknown as Schema)

const isDate = (field: InputField) => valueSchema(field).pipe?.some(({ type }) => type === 'iso_date') ?? false

const isInstant = (field: InputField) =>
  valueSchema(field).pipe?.some(({ metadata }) => metadata?.format === 'date-time') ?? false

const isValid = (schema: InputField['schema'], value: unknown): boolean => {
  const result = schema['~standard'].validate(value)
  return !(result instanceof Promise) && result.issues === undefined
}

/** The lines of the parameters that do not accept a value. */
const refusing = (fields: typeof parameters, value: unknown) =>
  fields.filter(({ field: { schema, convert } }) => !isValid(schema, convert(value))).map(({ line }) => line)

describe('every optional parameter', () => {
  test('accepts null', () => {
    expect(parameters.length).toBeGreaterThan(2_000)
    expect(refusing(parameters, null)).toEqual([])
  })

  test('that is a number, a boolean, a date or a time accepts an empty value', () => {
    const hasNoText = ({ field }: (typeof parameters)[number]) =>
      ['number', 'boolean'].includes(valueSchema(field).type) || isDate(field) || isInstant(field)
    const { empty } = parseQuery('empty=')
    expect(refusing(parameters.filter(hasNoText), empty)).toEqual([])
  })

  test('that is a date accepts a time, and only a time that exists', () => {
    const dates = parameters.filter(({ field }) => isDate(field))
    expect(dates.length).toBeGreaterThan(20)
    for (const text of ['2999-11-21', '2999-11-21T23:30:00.000Z', '2999-11-21 00:30:00+02:00']) {
      expect(refusing(dates, text)).toEqual([])
      for (const { field } of dates) expect(field.convert(text)).toBe('2999-11-21')
    }
    for (const text of ['2999-11-21T25:00:00Z', '2999-02-30T00:00:00Z', '2999-11-21T']) {
      expect(refusing(dates, text)).toHaveLength(dates.length)
    }
  })

  test('that is a time accepts a date', () => {
    const instants = parameters.filter(({ field }) => isInstant(field))
    expect(instants.length).toBeGreaterThan(50)
    for (const text of ['2999-11-21', '2999-11-21T23:30:00Z']) expect(refusing(instants, text)).toEqual([])
  })
})
