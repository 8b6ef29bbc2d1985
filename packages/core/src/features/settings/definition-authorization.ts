import { decimal, flag, longText, secret, text } from './setting.ts'

/** The external service that decides who may see a project, and the certificate shown to it. */
export const authorizationSettings = {
  externalAuthorizationServiceEnabled: flag(false, 'An external service decides who may see a project.', {
    requires: [
      'externalAuthorizationServiceDefaultLabel',
      'externalAuthorizationServiceTimeout',
      'externalAuthorizationServiceUrl',
    ],
  }),
  externalAuthorizationServiceDefaultLabel: text(
    null,
    'Classification sent to the authorization service for projects that have none of their own.',
  ),
  externalAuthorizationServiceTimeout: decimal(0.5, 'Seconds the authorization service has to answer, 10 at most.'),
  externalAuthorizationServiceUrl: text(null, 'Where the authorization service is asked.'),
  externalAuthClientCert: longText(null, 'Certificate (PEM) with which this service shows who it is.', {
    requires: ['externalAuthClientKey'],
  }),
  externalAuthClientKey: secret(longText(null, 'Private key (PEM) of that certificate.')),
  externalAuthClientKeyPass: secret(text(null, 'Passphrase of that private key, if it has one.')),
}
