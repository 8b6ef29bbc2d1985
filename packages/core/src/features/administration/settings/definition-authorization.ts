import { decimal, flag, longText, secret, text } from './setting.ts'

/** The external authorization service and the client certificate for it. */
export const authorizationSettings = {
  externalAuthorizationServiceEnabled: flag(false, 'An external service authorizes access to projects.', {}),
  externalAuthorizationServiceDefaultLabel: text(null, 'Classification label for projects without one of their own.'),
  externalAuthorizationServiceTimeout: decimal(
    0.5,
    'Timeout of requests to the authorization service, in seconds (at most 10).',
  ),
  externalAuthorizationServiceUrl: text(null, 'URL of the authorization service.'),
  externalAuthClientCert: longText(null, 'Client certificate (PEM) for the authorization service.', {}),
  externalAuthClientKey: secret(longText(null, 'Private key (PEM) of the client certificate.')),
  externalAuthClientKeyPass: secret(text(null, 'Passphrase of the private key, if it has one.')),
}
