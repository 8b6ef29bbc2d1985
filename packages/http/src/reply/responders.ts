import type { Page } from '@forgelet/core'
import * as v from 'valibot'
import type { Reply } from './reply.ts'
import { type Site, type Wire, wire } from './wire.ts'

/** Converts the result of an operation to a reply. The properties describe that reply for the OpenAPI document. */
export interface Responder<Out> {
  readonly status: number
  /** Other statuses of successful replies: 304. */
  readonly otherStatuses?: readonly number[]
  readonly shape?: Shape<never>
  /** A successful reply of another shape. */
  readonly alternative?: Alternative<never>
  /** Whether the body is a list of the shape: a page (`true`) or all items (`'whole'`). */
  readonly list?: true | 'whole'
  /** Whether reading one item of a page costs little more than its size. */
  readonly isRereadable?: boolean
  (out: Out, site: Site): Reply
}

// biome-ignore lint/suspicious/noExplicitAny: shapes have any fields
type Shape<S> = Wire<S, any>

/** One object. */
export const one = <S>(shape: Shape<S>, status = 200): Responder<S> =>
  Object.assign((out: S, site: Site): Reply => ({ status, body: shape(out, site) }), { status, shape })

/**
 * A page of a list, with paging headers.
 *
 * @param isRereadable false for lists that are computed as a whole, such as the changes of a merge request
 */
export const page = <S>(shape: Shape<S>, isRereadable = true): Responder<Page<S>> =>
  Object.assign(
    (out: Page<S>, site: Site): Reply => ({
      status: 200,
      body: out.items.map((item) => shape(item, site)),
      page: out,
    }),
    { status: 200, shape, list: true as const, isRereadable },
  )

/** A list without pages. */
export const all = <S>(shape: Shape<S>): Responder<readonly S[]> =>
  Object.assign(
    (out: readonly S[], site: Site): Reply => ({ status: 200, body: out.map((item) => shape(item, site)) }),
    { status: 200, shape, list: 'whole' as const },
  )

/** The object in property `key`, or 304 if the command changed nothing. */
export const oneIfChanged = <K extends string, S>(
  key: K,
  shape: Shape<S>,
): Responder<{ readonly changed: boolean } & { readonly [P in K]: S }> =>
  Object.assign(
    (out: { readonly changed: boolean } & { readonly [P in K]: S }, site: Site): Reply =>
      out.changed ? { status: 200, body: shape(out[key], site) } : { status: 304 },
    { status: 200, otherStatuses: [304], shape },
  )

interface Alternative<O> {
  readonly status: number
  /** The condition for this reply. */
  readonly description: string
  readonly shape: Shape<O>
}

/** The object in property `key`; if it is null, the alternative reply. */
export const oneOrElse = <K extends string, S, O>(
  key: K,
  shape: Shape<S>,
  alternative: Alternative<O>,
): Responder<{ readonly [P in K]: S } | (O & { readonly [P in K]: null })> =>
  Object.assign(
    (out: { readonly [P in K]: S } | (O & { readonly [P in K]: null }), site: Site): Reply => {
      const value = out[key]
      return value === null
        ? { status: alternative.status, body: alternative.shape(out as O, site) }
        : { status: 200, body: shape(value as S, site) }
    },
    { status: 200, shape, alternative },
  )

/** No body. */
export const empty = (status = 204): Responder<unknown> => Object.assign((): Reply => ({ status }), { status })

const Accepted = wire<{ readonly message: string }>()({ message: v.string() })

/** The work continues after the reply (RFC 9110, section 15.3.3). */
export const accepted = (): Responder<unknown> =>
  Object.assign((): Reply => ({ status: 202, body: { message: '202 Accepted' } }), { status: 202, shape: Accepted })
