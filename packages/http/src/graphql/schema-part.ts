import type { Arguments, GraphqlContext, Json, TypeResolvers } from './resolver.ts'

/** A change that clients request, with the schema of its input and of its result. */
export interface Mutation {
  /** Fields of the input, without `clientMutationId`. */
  readonly input: string
  /** Nullable fields of the result, without `errors` and `clientMutationId`. */
  readonly payload: string
  run(input: Arguments, context: GraphqlContext): Promise<Json>
}

/**
 * Types of the schema and their resolvers. `extend type` adds fields to types of other parts. Connections and the scalars of
 * global ids exist by being used: `IssueConnection`, `IssueID`.
 */
export interface SchemaPart {
  /** Types in the schema definition language, with the names and meanings of GitLab's GraphQL API. */
  readonly types?: string
  /** Resolvers by type. Other fields are those of the REST object with the same name in another case. */
  readonly resolvers?: Readonly<Record<string, TypeResolvers>>
  /** Operations that fields call, where it is more than one: `{ 'Repository.tree': 10 }`. */
  readonly weights?: Readonly<Record<string, number>>
  readonly mutations?: Readonly<Record<string, Mutation>>
}

/** Arguments of a list: the `first` items after a cursor or the `last` ones before it (default and maximum: 100). */
export const paging = 'first: Int, after: String, last: Int, before: String'
