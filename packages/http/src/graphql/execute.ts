import { PlatformError } from '@forgelet/core'
import type { DocumentNode, ExecutionResult, GraphQLFieldResolver, GraphQLSchema } from 'graphql'
import { messageOf } from '../app/error-text.ts'
import { toSnakeCase } from '../wire-names.ts'
import { formatGlobalId } from './global-id.ts'
import { isRefusal } from './if-visible.ts'
import { findExceededLimit, maxQueryLength, maxTokens } from './limits.ts'
import type { GraphqlPackage } from './load-graphql.ts'
import { createMutationResolver } from './mutation.ts'
import type { Arguments, GraphqlContext, Json } from './resolver.ts'
import { countCalls, mutations, resolvers, schemaText } from './schema.ts'

/** What a client sends. */
export interface GraphqlRequest {
  readonly query: string
  readonly variables: Arguments
  readonly operationName: string | undefined
}

const refusal =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action"

/** A refused query has no value, and a refused mutation is an error. Unexpected errors end the request. */
const handleError = (error: unknown, type: string) => {
  if (!isRefusal(error)) throw error
  if (type === 'Mutation') throw new PlatformError('not_found', refusal)
  return null
}

const resolveField: GraphQLFieldResolver<Json, GraphqlContext> = (source, args, context, info) => {
  const { parentType, fieldName } = info
  const { computed, calls } = resolvers[parentType.name] ?? {}
  const mutation = parentType.name === 'Mutation' ? mutations[fieldName] : undefined
  const call = mutation ? createMutationResolver(mutation) : calls?.[fieldName]
  const { memory } = context
  if (call)
    return Promise.resolve()
      .then(async () => {
        memory.assertRoom()
        const result = await call(source, args, context)
        memory.countRead(result)
        return result
      })
      .catch((error: unknown) => handleError(error, parentType.name))
  const compute = computed?.[fieldName]
  const value = compute
    ? compute(source, args, context)
    : fieldName === 'id'
      ? formatGlobalId(parentType.name, source.id)
      : source[toSnakeCase(fieldName)]
  memory.countReply(value)
  return value
}

const failure = (...messages: readonly string[]): ExecutionResult => ({
  // biome-ignore lint/suspicious/noExplicitAny: errors are serialized as they are
  errors: messages.map((message) => ({ message })) as any,
})

/** Executes requests with one schema. */
export const createExecutor = (graphql: GraphqlPackage) => {
  const schema: GraphQLSchema = graphql.buildSchema(schemaText)

  const parse = (query: string): DocumentNode | string => {
    if (query.length > maxQueryLength) return `Query too large: more than ${maxQueryLength} characters`
    try {
      return graphql.parse(query, { noLocation: true, maxTokens })
    } catch (error) {
      return messageOf(error)
    }
  }

  return async (
    { query, variables, operationName }: GraphqlRequest,
    context: GraphqlContext,
  ): Promise<ExecutionResult> => {
    const document = parse(query)
    if (typeof document === 'string') return failure(document)
    const problems = graphql.validate(schema, document, undefined, { maxErrors: 10 })
    if (problems.length) return failure(...problems.map(({ message }) => message))
    const exceeded = findExceededLimit(document, { graphql, schema, variables, countCalls })
    if (exceeded !== undefined) return failure(exceeded)
    return graphql.execute({
      schema,
      document,
      variableValues: variables,
      contextValue: context,
      fieldResolver: resolveField as GraphQLFieldResolver<unknown, unknown>,
      ...(operationName !== undefined && { operationName }),
    })
  }
}
