import type { AppOptions } from '../app/app-options.ts'
import { messageOf } from '../app/error-text.ts'
import { assertOpenidOptions } from '../openid/openid-options.ts'
import { UsageError } from './cli-error.ts'
import { readSecretFile } from './credentials-file.ts'
import type { ServeCommandOptions } from './options.ts'

/**
 * The OpenID Connect provider that the options select; no property without one.
 *
 * @throws UsageError for options that require others, and for an issuer without HTTPS
 * @throws CliError if the file with the secret cannot be used
 */
export const toOpenid = (options: ServeCommandOptions): Pick<AppOptions, 'openid'> => {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: file, oidcLabel: label, baseUrl } = options
  if (issuer === undefined) {
    if (clientId !== undefined) throw new UsageError('--oidc-client-id requires --oidc-issuer')
    if (file !== undefined) throw new UsageError('--oidc-client-secret requires --oidc-issuer')
    if (label !== undefined) throw new UsageError('--oidc-label requires --oidc-issuer')
    if (options.oidcCreateUsers) throw new UsageError('--oidc-create-users requires --oidc-issuer')
    return {}
  }
  if (clientId === undefined) throw new UsageError('--oidc-issuer requires --oidc-client-id')
  // The provider redirects to it: a request must not determine it.
  if (baseUrl === undefined) throw new UsageError('--oidc-issuer requires --base-url')
  const openid = {
    issuer,
    clientId,
    ...(file !== undefined && { clientSecret: readSecretFile(file) }),
    ...(label !== undefined && { label }),
    createUsers: options.oidcCreateUsers ?? false,
  }
  try {
    assertOpenidOptions(openid)
  } catch (error) {
    throw new UsageError(`--oidc-issuer is invalid: ${messageOf(error)}`)
  }
  return { openid }
}
