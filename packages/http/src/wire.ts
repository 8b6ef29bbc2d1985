import { picker } from '@forgelet/core/operations'
import type { GenericSchema, InferInput, InferOutput } from 'valibot'

/** What a shape may know besides its source: where this server lives, without a trailing slash. */
export interface Site {
  readonly url: string
}

interface Computed<S, T extends GenericSchema> {
  readonly schema: T
  readonly from: (source: S, site: Site) => InferInput<T>
}

interface List<S, E> {
  readonly each: Wire<S, E>
}

// biome-ignore-start lint/suspicious/noExplicitAny: shapes nest in shapes of any source
type Field<S> = GenericSchema<any, any> | Wire<any, any> | List<any, any> | Computed<S, any>
type Value<F> =
  F extends Computed<any, infer T>
    ? InferOutput<T>
    : F extends List<any, infer E>
      ? { [K in keyof E]: Value<E[K]> }[]
      : F extends Wire<any, infer E>
        ? { [K in keyof E]: Value<E[K]> }
        : F extends GenericSchema<any, infer O>
          ? O
          : never
type Needs<F> =
  F extends List<infer S, any>
    ? readonly S[]
    : F extends Wire<infer S, any>
      ? S | null
      : F extends GenericSchema<infer I, any>
        ? I
        : never
type Camel<K extends string> = K extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : K

type Checked<S, E> = {
  [K in keyof E]: E[K] extends Computed<any, any>
    ? E[K]
    : Camel<K & string> extends keyof S
      ? S[Camel<K & string>] extends Needs<E[K]>
        ? E[K]
        : { error: 'types differ'; domain: S[Camel<K & string>] }
      : { error: 'the domain object has no'; property: Camel<K & string> }
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above

/** A JSON shape: an allow-list of fields under their wire names, and the function that picks them. */
export interface Wire<S, E> {
  readonly fields: E
  (source: S, site: Site): { [K in keyof E]: Value<E[K]> }
}

/** `created_at` → `createdAt`. */
export const camel = (key: string): string => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `createdAt` → `created_at`. */
export const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type Source = Readonly<Record<string, unknown>>
type Read = (source: Source, site: Site) => unknown
type AnyShape = (source: unknown, site: Site) => unknown

const isShape = (field: object): field is AnyShape => typeof field === 'function'

const reader = (name: string, field: object): Read => {
  if (isShape(field)) return (source, site) => (source[name] == null ? source[name] : field(source[name], site))
  if ('each' in field) {
    const each = field.each as AnyShape
    return (source, site) => (source[name] as readonly unknown[]).map((item) => each(item, site))
  }
  return (field as { from: Read }).from
}

const isPlain = (field: object) => !isShape(field) && !('each' in field) && !('from' in field)

/**
 * A shape over domain objects of type `S`. Each field is a valibot schema, another shape, `list(shape)` or `computed(…)`;
 * the domain property is the same name in camelCase. A property that is missing or of another type is a compile error.
 */
export const wire =
  <S>() =>
  <E extends Record<string, Field<S>>>(fields: E & Checked<S, E>): Wire<S, E> => {
    const pick = picker<Source, Site>(
      Object.entries(fields as Record<string, object>).map(([key, field]) => ({
        key,
        from: camel(key),
        // A plain field is read by its name; all others know how to read themselves.
        read: isPlain(field) ? undefined : reader(camel(key), field),
      })),
    )
    return Object.assign(pick, { fields }) as never
  }

/** A field the domain object does not carry, such as a URL. */
export const computed = <S, T extends GenericSchema>(
  schema: T,
  from: (source: S, site: Site) => InferInput<T>,
): Computed<S, T> => ({ schema, from })

/** A list of shaped things. */
export const list = <S, E>(each: Wire<S, E>): List<S, E> => ({ each })
