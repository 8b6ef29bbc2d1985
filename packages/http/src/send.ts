import type { Page } from '@forgelet/core'
import * as v from 'valibot'
import type { Reply } from './reply.ts'
import { type Site, type Wire, wire } from './wire.ts'

/** How a result leaves: its statuses and shape for the reference, and the function that writes it. */
export interface Send<Out> {
  readonly status: number
  /** Other statuses that are no refusals: 304. */
  readonly also?: readonly number[]
  readonly shape?: Shape<never>
  /** Another success, of another shape. */
  readonly otherwise?: Otherwise<never>
  /** A list of the shape: paged unless it is `whole`. */
  readonly list?: true | 'whole'
  (out: Out, site: Site): Reply
}

// biome-ignore lint/suspicious/noExplicitAny: any set of fields makes a shape
type Shape<S> = Wire<S, any>

/** One thing. */
export const one = <S>(shape: Shape<S>, status = 200): Send<S> =>
  Object.assign((out: S, site: Site): Reply => ({ status, body: shape(out, site) }), { status, shape })

/** A page of things, with the paging headers. */
export const page = <S>(shape: Shape<S>): Send<Page<S>> =>
  Object.assign(
    (out: Page<S>, site: Site): Reply => ({
      status: 200,
      body: out.items.map((item) => shape(item, site)),
      page: out,
    }),
    { status: 200, shape, list: true as const },
  )

/** All things at once, for lists that are not paged. */
export const every = <S>(shape: Shape<S>): Send<readonly S[]> =>
  Object.assign(
    (out: readonly S[], site: Site): Reply => ({ status: 200, body: out.map((item) => shape(item, site)) }),
    { status: 200, shape, list: 'whole' as const },
  )

/** The thing under `key`, or 304 when the command found nothing to change. */
export const changed = <K extends string, S>(
  key: K,
  shape: Shape<S>,
): Send<{ readonly changed: boolean } & { readonly [P in K]: S }> =>
  Object.assign(
    (out: { readonly changed: boolean } & { readonly [P in K]: S }, site: Site): Reply =>
      out.changed ? { status: 200, body: shape(out[key], site) } : { status: 304 },
    { status: 200, also: [304], shape },
  )

interface Otherwise<O> {
  readonly status: number
  /** When it is answered, for the reference. */
  readonly says: string
  readonly shape: Shape<O>
}

/** The thing under `key`; where there is none, another shape of the result, under a status of its own. */
export const orElse = <K extends string, S, O>(
  key: K,
  shape: Shape<S>,
  otherwise: Otherwise<O>,
): Send<{ readonly [P in K]: S } | (O & { readonly [P in K]: null })> =>
  Object.assign(
    (out: { readonly [P in K]: S } | (O & { readonly [P in K]: null }), site: Site): Reply => {
      const thing = out[key]
      return thing === null
        ? { status: otherwise.status, body: otherwise.shape(out as O, site) }
        : { status: 200, body: shape(thing as S, site) }
    },
    { status: 200, shape, otherwise },
  )

/** Nothing but the status. */
export const empty = (status = 204): Send<unknown> => Object.assign((): Reply => ({ status }), { status })

const Accepted = wire<{ readonly message: string }>()({ message: v.string() })

/** Not done yet, but it will be (RFC 9110, section 15.3.3). */
export const accepted = (): Send<unknown> =>
  Object.assign((): Reply => ({ status: 202, body: { message: '202 Accepted' } }), { status: 202, shape: Accepted })
