import type { Session } from '@forgelet/core'
import { readConnection, type Slice, type Window } from './connection.ts'
import type { Arguments, Json, JsonShape, Resolver } from './resolver.ts'

interface Reader<T> {
  readItem(session: Session, source: Json, args: Arguments): Promise<T>
  readList(session: Session, window: Window, source: Json, args: Arguments): Promise<Slice<T>>
}

/** A field whose value is the result of an operation. */
export const itemField =
  <T>(shape: JsonShape<T>, read: Reader<T>['readItem']): Resolver =>
  async (source, args, { session, site }) =>
    shape(await read(session, source, args), site)

/** A connection of the items of an operation with pages. */
export const listField =
  <T>(shape: JsonShape<T>, list: Reader<T>['readList']): Resolver =>
  (source, args, { session, site }) =>
    readConnection(
      args,
      (item: T) => shape(item, site),
      (window) => list(session, window, source, args),
    )
