import type { GenericSchema } from 'valibot'
import type { Field, Shape, Wire } from '../reply/wire.ts'
import { createOutputSchema, isOptional, type Json } from './json-schema.ts'

/** The named schemas of a document. */
export interface Components {
  readonly schemas: Readonly<Record<string, Json>>
  /** Adds a schema, and returns a reference to it. */
  add(name: string, schema: Json): Json
  /** The schema of a shape: a reference for each wire. */
  describeShape(shape: Shape): Json
}

const isOptionalField = (field: Field): boolean => {
  if ('from' in field) return isOptionalField(field.as)
  return 'optional' in field || ('kind' in field && isOptional(field))
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
    return add(wire.title, {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, field]) => [name, describeField(field)])),
      required: fields.filter(([, field]) => !isOptionalField(field)).map(([name]) => name),
    })
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

  return { schemas, add, describeShape }
}
