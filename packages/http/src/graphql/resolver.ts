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

/** An object or arguments with properties of known types. */
export type With<T> = Json & Readonly<T>

/** An object with an id. */
export type WithId = With<{ id: number }>

interface Field {
  resolve(source: Json, args: Arguments, context: GraphqlContext): unknown
}

/** Declares the properties and arguments that it reads with `With`: the schema and the JSON of the REST API have these types. */
export type Resolver = Field['resolve']

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
