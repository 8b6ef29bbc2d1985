import { compileMapper } from '@forgelet/core/operations'
import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import { toCamelCase } from '../wire-names.ts'

/** The server as clients reach it. */
export interface Site {
  /** Without a trailing slash. */
  readonly url: string
}

interface Computed<S, T extends GenericSchema> {
  readonly schema: T
  readonly from: (source: S, site: Site) => InferInput<T>
}

interface List<S, E> {
  readonly each: Wire<S, E>
}

// biome-ignore-start lint/suspicious/noExplicitAny: shapes contain shapes of any source
type Field<S> = GenericSchema<any, any> | Wire<any, any> | List<any, any> | Computed<S, any>
type WireValue<F> =
  F extends Computed<any, infer T>
    ? InferOutput<T>
    : F extends List<any, infer E>
      ? { [K in keyof E]: WireValue<E[K]> }[]
      : F extends Wire<any, infer E>
        ? { [K in keyof E]: WireValue<E[K]> }
        : F extends GenericSchema<any, infer O>
          ? O
          : never
type DomainValue<F> =
  F extends List<infer S, any>
    ? readonly S[]
    : F extends Wire<infer S, any>
      ? S | null
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

/** A JSON shape: a list of allowed fields by wire name, and the function that maps a domain object to them. */
export interface Wire<S, E> {
  readonly fields: E
  (source: S, site: Site): { [K in keyof E]: WireValue<E[K]> }
}

type Source = Readonly<Record<string, unknown>>
type ReadField = (source: Source, site: Site) => unknown
type AnyShape = (source: unknown, site: Site) => unknown

const isShape = (field: object): field is AnyShape => typeof field === 'function'

const createFieldReader = (name: string, field: object): ReadField => {
  if (isShape(field)) return (source, site) => (source[name] == null ? source[name] : field(source[name], site))
  if ('each' in field) {
    const each = field.each as AnyShape
    return (source, site) => (source[name] as readonly unknown[]).map((item) => each(item, site))
  }
  return (field as { from: ReadField }).from
}

const isPlainField = (field: object) => !isShape(field) && !('each' in field) && !('from' in field)

/**
 * A shape over domain objects of type `S`. Each field is a valibot schema, another shape, `list(shape)` or `computed(…)`;
 * the domain property is the same name in camelCase. A property that is missing or of another type is a compile error.
 */
export const wire =
  <S>() =>
  <E extends Record<string, Field<S>>>(fields: E & CheckedFields<S, E>): Wire<S, E> => {
    const mapFields = compileMapper<Source, Site>(
      Object.entries(fields as Record<string, object>).map(([key, field]) => ({
        key,
        from: toCamelCase(key),
        // The mapper reads plain fields by name, without a function call.
        read: isPlainField(field) ? undefined : createFieldReader(toCamelCase(key), field),
      })),
    )
    return Object.assign(mapFields, { fields }) as never
  }

/** A field that is not a property of the domain object, such as a URL. */
export const computed = <S, T extends GenericSchema>(
  schema: T,
  from: (source: S, site: Site) => InferInput<T>,
): Computed<S, T> => ({ schema, from })

/** A list of objects of a shape. */
export const list = <S, E>(each: Wire<S, E>): List<S, E> => ({ each })
