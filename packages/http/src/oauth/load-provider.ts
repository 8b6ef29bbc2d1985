import { getErrorCode } from '@forgelet/core/operations'

/** The package is optional and loaded on first use. */
type ProviderPackage = typeof import('oidc-provider')

/** The package `oidc-provider` is not installed. */
export class MissingProviderError extends Error {}

/** @throws MissingProviderError if the package is not installed */
export const loadProviderPackage = async (): Promise<ProviderPackage> => {
  try {
    return await import('oidc-provider')
  } catch (error) {
    if (getErrorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new MissingProviderError(
      'The option oauth requires the package oidc-provider: install it with npm install oidc-provider@9',
      { cause: error },
    )
  }
}
