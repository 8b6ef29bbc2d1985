import './db/supported-node.ts'

export { Access } from './access/levels.ts'
export type { Signals } from './contract/signals.ts'
export type { PostgresEventOptions } from './db/events/options.ts'
export { type PostgresOptions, type PostgresPool, postgres } from './db/postgres/postgres.ts'
export { UnknownMigrationsError } from './db/schema/migrate.ts'
export type { SqliteDriverName } from './db/sqlite/driver/driver.ts'
export type { BetterSqlite3Database, NodeSqliteDatabase } from './db/sqlite/driver/host-connection.ts'
export { type SqliteOptions, type SqliteStore, sqlite } from './db/sqlite/sqlite.ts'
export type {
  Actor,
  AnonymousActor,
  Identity,
  ScimActor,
  SystemActor,
  UserActor,
} from './kernel/actor.ts'
export type { Call, CallObserver, MemoryAccount } from './kernel/call.ts'
export type { ErrorCode, ErrorReason } from './kernel/error-codes.ts'
export { isPlatformError, PlatformError, type Problem } from './kernel/errors.ts'
export type { EventConsumer, EventFeed, EventFeedState, RecordedEvent } from './kernel/event-feed.ts'
export type { Health, JobCounts, JobLane } from './kernel/health.ts'
export type { QueuedJob } from './kernel/jobs/inspection.ts'
export type { LimitState } from './kernel/limit-state.ts'
export type { ListenerErrorHandler } from './kernel/notify.ts'
export type { Page } from './kernel/paging.ts'
export type { ReplicaState } from './kernel/replica-state.ts'
export { signalNames } from './kernel/signal-names.ts'
export type { StorageState } from './kernel/storage-state.ts'
export type { Row, Store } from './kernel/store.ts'
export type { StoreState } from './kernel/store-state.ts'
export {
  createPlatform,
  type HostStatement,
  type JobStartOptions,
  type Platform,
  type PlatformOptions,
  type Session,
} from './platform.ts'
export type { CertificateIssuer, IssuedCertificate } from './ports/certificates.ts'
export type { Clock } from './ports/clock.ts'
export { type DnsResolver, systemDnsResolver } from './ports/dns.ts'
export { folderFileStorage } from './ports/file-storage/folder.ts'
export { type S3FileStorageOptions, s3FileStorage } from './ports/file-storage/s3.ts'
export type { FileStorage } from './ports/file-storage.ts'
export type { Git } from './ports/git.ts'
export { type GitBinaryOptions, gitBinary } from './ports/git-binary.ts'
export type { ClientCertificate, HttpClient, OutboundRequest, OutboundResponse } from './ports/http-client.ts'
export { type Mail, type MailMessage, MailRefusedError } from './ports/mail.ts'
export { type OciRegistryOptions, ociRegistry } from './ports/oci-registry.ts'
export type { Pages } from './ports/pages.ts'
export type { Ports } from './ports/ports.ts'
export {
  databaseRegistry,
  type Image,
  type ImageStore,
  type Registry,
  type TagRemoval,
} from './ports/registry.ts'
export {
  folderRepositoryStorage,
  type RepositoryStorage,
} from './ports/repository-storage.ts'
export type { SecretKey, SecretKeys, Secrets } from './ports/secrets.ts'
export { type SmtpMailOptions, smtpMail } from './ports/smtp-mail.ts'
export { akismetSpamFilter, type SpamFilter, type SpamFilterTools, type Submission } from './ports/spam-filter.ts'
export {
  defaultTemplates,
  type FileTemplate,
  type LicenseTemplate,
  type Templates,
  templatesFrom,
} from './ports/templates.ts'
