import type { Session } from '@forgelet/core'
import type { Site } from '../reply/wire.ts'
import type { QueryMemory } from './query-memory.ts'

/** What resolvers of one request share. */
export interface GraphqlContext {
  readonly session: Session
  readonly site: Site
  readonly memory: QueryMemory
}

/** A JSON object of the REST API, whose fields have the same names in another case. */
export type Json = Readonly<Record<string, unknown>>

/** Arguments of a field, which have the types of the schema. */
export type Arguments = Readonly<Record<string, unknown>>

export type Resolver = (source: Json, args: Arguments, context: GraphqlContext) => unknown

export type Resolvers = Readonly<Record<string, Resolver>>

/** The fields of one type that are not fields of the REST object with the same name. */
export interface TypeResolvers {
  /** Computed from the object. */
  readonly computed?: Resolvers
  /** Call operations of the platform, which the limits of queries count. */
  readonly calls?: Resolvers
}

/** The JSON of a domain object. */
export type JsonShape<T> = (value: T, site: Site) => Json
