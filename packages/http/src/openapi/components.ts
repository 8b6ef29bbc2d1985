import type { GenericSchema } from 'valibot'
import type { Field, Shape, Wire } from '../reply/wire.ts'
import { describeProperties, getPropertyText, getSchemaText } from './descriptions.ts'
import type { FindFieldExample } from './examples.ts'
import { createOutputSchema, isOptional, type Json } from './json-schema.ts'
import { createExampleWriter } from './schema-example.ts'

/** The named schemas of a document. */
export interface Components {
  readonly schemas: Readonly<Record<string, Json>>
  /** Adds a schema, and returns a reference to it. */
  add(name: string, schema: Json): Json
  /** The schema of a shape: a reference for each wire. */
  describeShape(shape: Shape): Json
  /** Adds the examples of the shape of a response, one for each variant, and returns references to them by name. */
  addExamples(shape: Shape): Json
  /** The named examples. */
  createExamples(findFieldExample: FindFieldExample): Json
}

const isOptionalField = (field: Field): boolean => {
  if ('from' in field) return isOptionalField(field.as)
  return 'optional' in field || ('kind' in field && isOptional(field))
}

/** The names of the schemas of a shape; several if it has variants. */
const listTitles = (shape: Shape): readonly string[] => {
  if ('items' in shape) return listTitles(shape.items)
  if ('nullable' in shape) return listTitles(shape.nullable)
  if ('optional' in shape) return listTitles(shape.optional)
  return 'variants' in shape ? shape.variants.flatMap(listTitles) : [shape.title]
}

export const createComponents = (): Components => {
  const schemas: Record<string, Json> = {}
  // biome-ignore lint/suspicious/noExplicitAny: wires of any source
  const wires = new Map<string, Wire<any, any>>()

  const add = (name: string, schema: Json): Json => {
    schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  const describeWire = (wire: Wire<any, any>): Json => {
    const known = wires.get(wire.title)
    if (known && known !== wire) throw new Error(`Two wires have the title ${wire.title}`)
    if (known) return { $ref: `#/components/schemas/${wire.title}` }
    wires.set(wire.title, wire)
    const fields = Object.entries(wire.fields as Readonly<Record<string, Field>>)
    const schema = {
      type: 'object',
      description: getSchemaText(wire.title),
      properties: Object.fromEntries(fields.map(([name, field]) => [name, describeField(field)])),
      required: fields.filter(([, field]) => !isOptionalField(field)).map(([name]) => name),
    }
    return add(
      wire.title,
      describeProperties(schema, (path) => getPropertyText(wire.title, path)),
    )
  }

  const describeShape = (shape: Shape): Json => {
    if ('items' in shape) return { type: 'array', items: describeShape(shape.items) }
    if ('nullable' in shape) return { anyOf: [describeShape(shape.nullable), { type: 'null' }] }
    if ('optional' in shape) return describeShape(shape.optional)
    if ('variants' in shape) return { anyOf: shape.variants.map(describeShape) }
    return 'schema' in shape ? add(shape.title, createOutputSchema(shape.schema)) : describeWire(shape)
  }

  const describeField = (field: Field): Json => {
    if ('from' in field) return describeField(field.as)
    return 'kind' in field ? createOutputSchema(field as GenericSchema) : describeShape(field)
  }

  const examples: Record<string, (write: (title: string) => unknown) => unknown> = {}

  const addNamedExample = (name: string, create: (write: (title: string) => unknown) => unknown): Json => {
    examples[name] = create
    return { [name]: { $ref: `#/components/examples/${name}` } }
  }

  const addExamples = (shape: Shape): Json => {
    if ('variants' in shape) return Object.assign({}, ...shape.variants.map(addExamples))
    if ('nullable' in shape) return addExamples(shape.nullable)
    if ('optional' in shape) return addExamples(shape.optional)
    if (!('items' in shape)) return addNamedExample(shape.title, (write) => write(shape.title))
    const references = listTitles(shape.items).map((title) =>
      addNamedExample(`${title}List`, (write) => [write(title)]),
    )
    return Object.assign({}, ...references)
  }

  /** After all schemas are known, because they refer to each other. */
  const createExamples = (findFieldExample: FindFieldExample): Json => {
    const write = createExampleWriter(schemas, findFieldExample)
    return Object.fromEntries(Object.entries(examples).map(([name, create]) => [name, { value: create(write) }]))
  }

  return { schemas, add, describeShape, addExamples, createExamples }
}
