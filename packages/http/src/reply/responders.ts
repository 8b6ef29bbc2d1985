import { type Page, PlatformError } from '@forgelet/core'
import { defined } from '@forgelet/core/operations'
import * as v from 'valibot'
import type { Reply } from './reply.ts'
import { document, list, nullable, type Shape, type Site, variants, type Wire, wire } from './wire.ts'

/** Converts the result of an operation to a reply. The properties describe that reply for the OpenAPI document. */
export interface Responder<Out> {
  readonly status: number
  /** Other statuses of successful replies: 304. */
  readonly otherStatuses?: readonly number[]
  readonly shape?: Shape
  /** A successful reply of another shape. */
  readonly alternative?: { readonly status: number; readonly description: string; readonly shape: Shape }
  /** Whether the body is a page of a list, with paging headers. */
  readonly paged?: true
  /** Descriptions of further headers of the reply by name; their values are integers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether reading one item of a page costs little more than its size. */
  readonly isRereadable?: boolean
  /** The media types of a body that is no JSON. */
  readonly mediaTypes?: readonly string[]
  /** Whether clients can request a part of the file. */
  readonly hasRanges?: boolean
  (out: Out, site: Site): Reply
}

// biome-ignore lint/suspicious/noExplicitAny: wires have any fields
type AnyWire<S> = Wire<S, any>

/** One object. */
export const one = <S>(shape: AnyWire<S>, status = 200): Responder<S> =>
  Object.assign((out: S, site: Site): Reply => ({ status, body: shape(out, site) }), { status, shape })

/** One object, or null. */
export const oneOrNull = <S>(shape: AnyWire<S>): Responder<S | null> => {
  const nullableShape = nullable(shape)
  return Object.assign((out: S | null, site: Site): Reply => ({ status: 200, body: nullableShape.map(out, site) }), {
    status: 200,
    shape: nullableShape,
  })
}

/** One object, or 404 with the display name of the kind of object. */
export const oneOrNotFound = <S>(shape: AnyWire<S>, kind: string): Responder<S | null> => {
  const respond = one(shape)
  const respondIfFound = (out: S | null, site: Site): Reply => {
    if (out === null) throw new PlatformError('not_found', `${kind} was not found`, { kind })
    return respond(out, site)
  }
  return Object.assign(respondIfFound, { status: respond.status, shape })
}

/**
 * A page of a list, with paging headers.
 *
 * @param isRereadable false for lists that are computed as a whole, such as the changes of a merge request
 */
export const page = <S>(shape: AnyWire<S>, isRereadable = true): Responder<Page<S>> =>
  Object.assign(
    (out: Page<S>, site: Site): Reply => ({
      status: 200,
      body: out.items.map((item) => shape(item, site)),
      page: out,
    }),
    { status: 200, shape: list(shape), paged: true as const, isRereadable },
  )

/** A page of a list with items that have details, if the caller may see them. */
export const pageWithDetails = <S, D extends S>(
  shape: AnyWire<S>,
  detailed: AnyWire<D>,
  hasDetails: (item: S) => item is D,
): Responder<Page<S>> => {
  const items = variants([list(shape), list(detailed)], (out: Page<S>, site: Site) =>
    out.items.map((item) => (hasDetails(item) ? detailed(item, site) : shape(item, site))),
  )
  return Object.assign((out: Page<S>, site: Site): Reply => ({ status: 200, body: items.map(out, site), page: out }), {
    status: 200,
    shape: items,
    paged: true as const,
  })
}

/** A page of a list with items of one of several shapes. */
export const pageOf = <P extends Page<S>, S>(
  shapes: readonly AnyWire<S>[],
  choose: (page: P, item: S) => AnyWire<S>,
): Responder<P> => {
  const shape = variants(shapes.map(list), (out: P, site: Site) =>
    out.items.map((item) => choose(out, item)(item, site)),
  )
  return Object.assign((out: P, site: Site): Reply => ({ status: 200, body: shape.map(out, site), page: out }), {
    status: 200,
    shape,
    paged: true as const,
  })
}

/** All items of a list that has no pages. */
export const all = <S>(shape: AnyWire<S>): Responder<readonly S[]> =>
  Object.assign(
    (out: readonly S[], site: Site): Reply => ({ status: 200, body: out.map((item) => shape(item, site)) }),
    { status: 200, shape: list(shape) },
  )

/** The object in property `key`, or 304 if the command changed nothing. */
export const oneIfChanged = <K extends string, S>(
  key: K,
  shape: AnyWire<S>,
): Responder<{ readonly changed: boolean } & { readonly [P in K]?: S }> =>
  Object.assign(
    (out: { readonly changed: boolean } & { readonly [P in K]?: S }, site: Site): Reply =>
      out.changed ? { status: 200, body: shape(defined(out[key]), site) } : { status: 304 },
    { status: 200, otherStatuses: [304], shape },
  )

/** The reply to a result that is converted first. */
export const mapped = <A, B>(map: (out: A) => B, respond: Responder<B>): Responder<A> =>
  Object.assign((out: A, site: Site): Reply => respond(map(out), site), respond)

interface Alternative<O> {
  readonly status: number
  /** The condition for this reply. */
  readonly description: string
  readonly shape: AnyWire<O>
}

/** The object in property `key`; if it is null, the alternative reply. */
export const oneOrElse = <K extends string, S, O>(
  key: K,
  shape: AnyWire<S>,
  alternative: Alternative<O>,
): Responder<{ readonly [P in K]: S } | (O & { readonly [P in K]: null })> =>
  Object.assign(
    (out: { readonly [P in K]: S } | (O & { readonly [P in K]: null }), site: Site): Reply => {
      const value = out[key]
      return value === null
        ? { status: alternative.status, body: alternative.shape(out as O, site) }
        : { status: 200, body: shape(value, site) }
    },
    { status: 200, shape, alternative },
  )

/** A new object; if its id is null, nothing was created, and the reply is the alternative one. */
export const createdOrElse = <S extends { readonly id: number | string }, O extends { readonly id: null }>(
  shape: AnyWire<S>,
  alternative: Alternative<O>,
): Responder<S | O> =>
  Object.assign(
    (out: S | O, site: Site): Reply =>
      out.id === null
        ? { status: alternative.status, body: alternative.shape(out, site) }
        : { status: 200, body: shape(out, site) },
    { status: 200, shape, alternative },
  )

/**
 * A file. The reply must have its content type.
 *
 * @param otherStatuses 304 if the reply has an `ETag`
 * @param hasRanges false for files that are created while they are sent
 */
export const file = <S>(
  mediaTypes: readonly string[],
  createReply: (out: S) => Omit<Reply, 'status'>,
  otherStatuses: readonly number[] = [],
  hasRanges = true,
): Responder<S> =>
  Object.assign((out: S): Reply => ({ status: 200, hasRanges, ...createReply(out) }), {
    status: 200,
    mediaTypes,
    otherStatuses,
    hasRanges,
  })

/** A redirect to another address. */
export const redirect = <S>(createLocation: (out: S, site: Site) => string): Responder<S> =>
  Object.assign(
    (out: S, site: Site): Reply => ({
      status: 302,
      headers: { Location: createLocation(out, site), 'Cache-Control': 'no-store' },
    }),
    { status: 302 },
  )

/** No body. */
export const empty = (): Responder<unknown> => Object.assign((): Reply => ({ status: 204 }), { status: 204 })

/** The confirmation of a request without another result. */
export const ConfirmationWire = wire<{ readonly message: string }>('Confirmation')({
  /** Status as text. */
  message: v.string(),
})

const confirmedBy = (status: number, message: string): Responder<unknown> =>
  Object.assign((): Reply => ({ status, body: { message } }), { status, shape: ConfirmationWire })

/** A confirmation with this status as text. */
export const confirmed = (status: number, text: string): Responder<unknown> => confirmedBy(status, `${status} ${text}`)

/** A confirmation of a decision, with the text `Success`. */
export const decided = (): Responder<unknown> => confirmedBy(201, 'Success')

/** A confirmation without the created object. */
export const created = (): Responder<unknown> => confirmed(201, 'Created')

const True = document('True', v.pipe(v.literal(true), v.description('Confirms a change.')), () => true as const)

/** A change without another result: the value `true`. */
export const succeeded = (): Responder<unknown> =>
  Object.assign((): Reply => ({ status: 200, body: true }), { status: 200, shape: True })

/** The work continues after the reply (RFC 9110, section 15.3.3). */
export const accepted = (): Responder<unknown> => confirmed(202, 'Accepted')
