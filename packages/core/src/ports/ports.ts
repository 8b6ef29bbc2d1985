import type { CertificateIssuer } from './certificates.ts'
import type { Clock } from './clock.ts'
import type { DnsResolver } from './dns.ts'
import type { FileStorage } from './file-storage.ts'
import type { Git } from './git.ts'
import type { HttpClient } from './http-client.ts'
import type { Mail } from './mail.ts'
import type { Markdown } from './markdown.ts'
import type { Pages } from './pages.ts'
import type { Random } from './random.ts'
import type { Registry } from './registry.ts'
import type { RepositoryStorage } from './repository-storage.ts'
import type { Secrets } from './secrets.ts'
import type { SpamFilter } from './spam-filter.ts'
import type { Templates } from './templates.ts'

/** The external services of the platform except its database. Every port has an embedded default. */
export interface Ports {
  /** Default: the system clock. */
  readonly clock: Clock
  /** Random bytes for generated secrets. Default: the random generator of Node.js. */
  readonly random: Random
  /** Renders text to sanitized HTML. Default: CommonMark with the documented extensions. */
  readonly markdown: Markdown
  /** Default: the installed git program. Without one, git calls fail as `unavailable`. */
  readonly git: Git
  /** The directories of project repositories. Default: a folder. */
  readonly repositories: RepositoryStorage
  /** Stores uploaded files. Default: a folder; in memory for a database in memory. */
  readonly files: FileStorage
  /** Encrypts stored secrets. Default: AES-256-GCM with the platform's key. */
  readonly secrets: Secrets
  /** The container registry. Default: database tables that the host fills. */
  readonly registry: Registry
  /** Default: the resolver of the system. */
  readonly dns: DnsResolver
  /** Sends requests to the URLs of webhooks. Default: the HTTP client of Node.js. */
  readonly http: HttpClient
  /** Sends e-mails. Default: none, and no user is notified of events. */
  readonly mail: Mail
  /** How the host serves the pages of projects. Default: enabled, at the projects' own domains. */
  readonly pages: Pages
  /** Issues certificates for pages domains. Default: none are issued. */
  readonly certificates: CertificateIssuer
  /** Decides which new issues and snippets are spam, while the settings enable it. Default: Akismet. */
  readonly spamFilter: SpamFilter
  /** Texts to start new files with. Default: a few short ones, without open source licenses. */
  readonly templates: Templates
}
