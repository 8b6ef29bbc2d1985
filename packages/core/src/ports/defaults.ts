import type { KeyStore } from '../kernel/key-store.ts'
import { noCertificateIssuer } from './certificates.ts'
import { systemClock } from './clock.ts'
import { systemDnsResolver } from './dns.ts'
import { nodeHttpClient } from './http-client.ts'
import { noMail } from './mail.ts'
import { defaultPages } from './pages.ts'
import type { Ports } from './ports.ts'
import { systemRandom } from './random.ts'
import { databaseRegistry } from './registry.ts'
import type { ResourcePorts } from './resource-ports.ts'
import { type SecretKeys, secretsWithKeyStore, secretsWithKeys } from './secrets.ts'
import { akismetSpamFilter } from './spam-filter.ts'
import { defaultTemplates } from './templates.ts'

/** `secretKey` takes precedence over the key of `keyStore`. */
interface KeySources {
  readonly secretKey: SecretKeys | undefined
  readonly keyStore: KeyStore | undefined
}

/** Completes the ports of the host with the embedded defaults. */
export const withDefaults = (
  overrides: Partial<Ports> & ResourcePorts,
  { secretKey, keyStore }: KeySources,
): Ports => ({
  clock: systemClock,
  random: systemRandom,
  secrets: secretKey === undefined ? secretsWithKeyStore(keyStore) : secretsWithKeys(secretKey),
  dns: systemDnsResolver(),
  http: nodeHttpClient,
  mail: noMail,
  pages: defaultPages,
  certificates: noCertificateIssuer,
  spamFilter: akismetSpamFilter(),
  templates: defaultTemplates,
  registry: databaseRegistry(),
  ...overrides,
})
