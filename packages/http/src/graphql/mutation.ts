import { isPlatformError } from '@forgelet/core'
import { messageWithoutHints } from '../reply/error-replies.ts'
import type { Arguments, GraphqlContext, Resolver, With } from './resolver.ts'
import type { Mutation } from './schema-part.ts'

/** Errors of the input, which mutations return instead of failing. */
const inputErrors = new Set(['invalid', 'invalid_input', 'conflict', 'unprocessable'])

/** Runs a mutation. */
export const createMutationResolver =
  ({ run }: Mutation): Resolver =>
  async (_source, { input }: With<{ input: Arguments }>, context: GraphqlContext) => {
    const { clientMutationId = null, ...fields } = input
    try {
      return { ...(await run(fields, context)), errors: [], client_mutation_id: clientMutationId }
    } catch (error) {
      if (!isPlatformError(error) || !inputErrors.has(error.code)) throw error
      return { errors: [messageWithoutHints(error)], client_mutation_id: clientMutationId }
    }
  }

type Picked<K extends string> = { readonly [N in K]?: never }

const pickBy = <K extends string>(input: Arguments, names: readonly K[], isGiven: (value: unknown) => boolean) =>
  Object.fromEntries(names.filter((name) => isGiven(input[name])).map((name) => [name, input[name]])) as Picked<K>

/** The values that are given, without null. */
export const pick = <K extends string>(input: Arguments, ...names: readonly K[]): Picked<K> =>
  pickBy(input, names, (value) => value != null)

/** The values that are given; null removes the current one. */
export const pickNullable = <K extends string>(input: Arguments, ...names: readonly K[]): Picked<K> =>
  pickBy(input, names, (value) => value !== undefined)
