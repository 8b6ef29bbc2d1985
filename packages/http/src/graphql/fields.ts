import type { Session } from '@forgelet/core'
import { readConnection, type Slice, type Window } from './connection.ts'
import type { Arguments, Json, JsonShape, Resolver } from './resolver.ts'

/** A field whose value is the result of an operation. */
export const itemField =
  <T>(shape: JsonShape<T>, read: (session: Session, source: Json, args: Arguments) => Promise<T>): Resolver =>
  async (source, args, { session, site }) =>
    shape(await read(session, source, args), site)

/** A connection of the items of an operation with pages. */
export const listField =
  <T>(
    shape: JsonShape<T>,
    list: (session: Session, window: Window, source: Json, args: Arguments) => Promise<Slice<T>>,
  ): Resolver =>
  (source, args, { session, site }) =>
    readConnection(
      args,
      (item: T) => shape(item, site),
      (window) => list(session, window, source, args),
    )
