import { getErrorCode } from '@forgelet/core/operations'

/** The package is optional and loaded on first use. */
type ClientPackage = typeof import('openid-client')

/** @throws Error if the package `openid-client` is not installed */
export const loadClientPackage = async (): Promise<ClientPackage> => {
  try {
    return await import('openid-client')
  } catch (error) {
    if (getErrorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'Sign-in at an OpenID Connect provider requires the package openid-client: install it with npm install openid-client@6',
      { cause: error },
    )
  }
}
