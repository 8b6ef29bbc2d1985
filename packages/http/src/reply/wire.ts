import { compileMapper } from '@forgelet/core/operations'
import type { GenericSchema } from 'valibot'
import { toCamelCase } from '../wire-names.ts'

/** The server as clients reach it. */
export interface Site {
  /** Without a trailing slash. */
  readonly url: string
  /** The port of git over SSH. Default: 22. */
  readonly sshPort?: number | undefined
}

/** A JSON object: a list of allowed fields by wire name, and the function that maps a domain object to them. */
export interface Wire<S, E> {
  /** The name of its schema in the OpenAPI document. */
  readonly title: string
  readonly fields: E
  (source: S, site: Site): { [K in keyof E]: WireValue<E[K]> }
}

interface Mapping<I, O> {
  readonly map: (source: I, site: Site) => O
}

interface List<I, O> extends Mapping<readonly I[], O[]> {
  readonly items: Shape
}

interface Nullable<I, O> extends Mapping<I | null, O | null> {
  readonly nullable: Shape
}

interface Optional<I, O> extends Mapping<I | undefined, O | undefined> {
  readonly optional: Shape
}

interface Document<I, O> extends Mapping<I, O> {
  readonly title: string
  readonly schema: GenericSchema
}

interface Variants<I, O> extends Mapping<I, O> {
  readonly variants: readonly Shape[]
}

// biome-ignore-start lint/suspicious/noExplicitAny: shapes contain shapes of any source
/** A wire, or a combination of wires. */
export type Shape =
  | Wire<any, any>
  | List<any, any>
  | Nullable<any, any>
  | Optional<any, any>
  | Variants<any, any>
  | Document<any, any>

interface Computed<S, T> {
  readonly as: T
  readonly from: (source: S, site: Site) => DomainValue<T>
}

/** A field of a wire: the schema of a plain value, a shape, or a computed field. */
export type Field<S = any> = GenericSchema<any, any> | Shape | Computed<S, any>

type Value<F> =
  F extends Wire<any, infer E>
    ? { [K in keyof E]: WireValue<E[K]> }
    : F extends Mapping<any, infer O>
      ? O
      : F extends GenericSchema<any, infer O>
        ? O
        : never
type WireValue<F> = F extends Computed<any, infer T> ? Value<T> : Value<F>
type DomainValue<F> =
  F extends Wire<infer S, any>
    ? S
    : F extends Mapping<infer I, any>
      ? I
      : F extends GenericSchema<infer I, any>
        ? I
        : never
type CamelCase<K extends string> = K extends `${infer A}_${infer B}` ? `${A}${Capitalize<CamelCase<B>>}` : K

type CheckedFields<S, E> = {
  [K in keyof E]: E[K] extends Computed<any, any>
    ? E[K]
    : CamelCase<K & string> extends keyof S
      ? S[CamelCase<K & string>] extends DomainValue<E[K]>
        ? E[K]
        : { error: 'types differ'; domain: S[CamelCase<K & string>] }
      : { error: 'the domain object has no'; property: CamelCase<K & string> }
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above

type Source = Readonly<Record<string, unknown>>
type Read<I = Source> = (source: I, site: Site) => unknown

/** The function of a shape; undefined for a schema. */
const getMap = (field: Shape | GenericSchema): Read<unknown> | undefined =>
  'map' in field ? (field.map as Read<unknown>) : typeof field === 'function' ? field : undefined

/** Undefined for a plain field, which the mapper reads by name, without a function call. */
const createFieldReader = (name: string, field: Field): Read | undefined => {
  if ('from' in field) {
    const { as, from } = field
    const map = getMap(as)
    return map ? (source, site) => map(from(source, site), site) : from
  }
  const map = getMap(field)
  return map && ((source, site) => map(source[name], site))
}

/**
 * Defines the JSON of domain objects of type `S`. Each field is a valibot schema, a shape, or `computed(…)`; the domain property
 * is the same name in camelCase. A property that is missing or of another type is a compile error.
 *
 * @param title the name of the schema in the OpenAPI document; unique
 */
export const wire =
  <S>(title: string) =>
  <E extends Record<string, Field<S>>>(fields: E & CheckedFields<S, E>): Wire<S, E> => {
    const mapFields = compileMapper<Source, Site>(
      Object.entries(fields).map(([key, field]) => ({
        key,
        from: toCamelCase(key),
        read: createFieldReader(toCamelCase(key), field),
      })),
    )
    return Object.assign(mapFields, { title, fields }) as never
  }

/** A field that is not a property of the domain object, such as a URL. `from` returns a value of the schema or for the shape. */
export const computed = <S, T extends GenericSchema | Shape>(
  as: T,
  from: (source: S, site: Site) => DomainValue<T>,
): Computed<S, T> => ({ as, from })

type MapOf<T extends Shape> = (source: DomainValue<T>, site: Site) => Value<T>

/** A list of objects. */
export const list = <T extends Shape>(items: T): List<DomainValue<T>, Value<T>> => {
  const map = getMap(items) as MapOf<T>
  return { items, map: (source, site) => source.map((item) => map(item, site)) }
}

/** An object or null. */
export const nullable = <T extends Shape>(nullable: T): Nullable<DomainValue<T>, Value<T>> => {
  const map = getMap(nullable) as MapOf<T>
  return { nullable, map: (source, site) => (source === null ? null : map(source, site)) }
}

/** A value that can be omitted. */
export const optional = <T extends Shape>(optional: T): Optional<DomainValue<T>, Value<T>> => {
  const map = getMap(optional) as MapOf<T>
  return { optional, map: (source, site) => (source === undefined ? undefined : map(source, site)) }
}

/** One of several shapes; `map` applies the one that fits the domain value. */
export const variants = <I, O>(variants: readonly Shape[], map: (source: I, site: Site) => O): Variants<I, O> => ({
  variants,
  map,
})

/** JSON that a function creates, with its schema and the name of that in the OpenAPI document. */
export const document = <I, O>(
  title: string,
  schema: GenericSchema,
  map: (source: I, site: Site) => O,
): Document<I, O> => ({
  title,
  schema,
  map,
})
