import { getErrorCode } from '@forgelet/core/operations'
/** The package is optional and loaded on first use. */
export type GraphqlPackage = typeof import('graphql')

/** The package `graphql` is not installed. */
export class MissingGraphqlError extends Error {}

/** @throws MissingGraphqlError if the package is not installed */
export const loadGraphqlPackage = async (): Promise<GraphqlPackage> => {
  try {
    return await import('graphql')
  } catch (error) {
    if (getErrorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new MissingGraphqlError('GraphQL requires the package graphql: install it with npm install graphql', {
      cause: error,
    })
  }
}
