import type { Certificates } from './certificates.ts'
import type { Clock } from './clock.ts'
import type { Git } from './git.ts'
import type { Markdown } from './markdown.ts'
import type { Names } from './names.ts'
import type { Pages } from './pages.ts'
import type { Random } from './random.ts'
import type { Registry } from './registry.ts'
import type { Repositories } from './repositories.ts'
import type { Secrets } from './secrets.ts'

/** What the platform asks of the world outside its database. Every port has an embedded default. */
export interface Ports {
  /** What time it is. Embedded: the machine's. */
  readonly clock: Clock
  /** Secrets that are made here. Embedded: the machine's generator. */
  readonly random: Random
  /** Text to HTML that is safe to show. Embedded: CommonMark with the extensions of the documentation. */
  readonly markdown: Markdown
  /** What is asked of repositories. Embedded: the git program of the machine, where there is one. */
  readonly git: Git
  /** Where the repositories of projects lie. Embedded: a folder. */
  readonly repositories: Repositories
  /** What seals stored secrets. Embedded: AES-256-GCM under the platform's key. */
  readonly secrets: Secrets
  /** Where container images are. Embedded: in tables that the host fills. */
  readonly registry: Registry
  /** What the domain name service says. Embedded: the machine's resolver. */
  readonly names: Names
  /** How the host serves the pages of projects. Embedded: it does, at their own domains. */
  readonly pages: Pages
  /** Who issues certificates for domains. Embedded: nobody. */
  readonly certificates: Certificates
}
