import type { KeptKey } from '../kernel/kept-key.ts'
import { noCertificates } from './certificates.ts'
import { systemClock } from './clock.ts'
import { embeddedMarkdown } from './markdown.ts'
import { systemNames } from './names.ts'
import { pagesAnywhere } from './pages.ts'
import type { Ports } from './ports.ts'
import { systemRandom } from './random.ts'
import { tableRegistry } from './registry.ts'
import type { RepositoryPorts } from './repository-ports.ts'
import { type SecretKeys, secretsKeptBy, secretsUnder } from './secrets.ts'

/** The key of the host, or else the one that the store keeps. */
interface Keys {
  readonly secretKey: SecretKeys | undefined
  readonly kept: KeptKey | undefined
}

/** The embedded default of every port that the host did not bring. */
export const withDefaults = (given: Partial<Ports> & RepositoryPorts, { secretKey, kept }: Keys): Ports => ({
  clock: systemClock,
  random: systemRandom,
  markdown: embeddedMarkdown(),
  secrets: secretKey === undefined ? secretsKeptBy(kept) : secretsUnder(secretKey),
  names: systemNames(),
  pages: pagesAnywhere,
  certificates: noCertificates,
  registry: tableRegistry(),
  ...given,
})
