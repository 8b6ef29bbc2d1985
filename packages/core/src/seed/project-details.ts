import * as v from 'valibot'
import { namedIn } from './identity.ts'
import { publicKeyOf } from './keys.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

/** Stored URLs hide their credentials. */
const withoutCredentials = (url: string) => url.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1')

const ErrorTracking = v.strictObject({
  active: v.optional(v.boolean()),
  integrated: v.optional(v.boolean()),
  projectName: v.optional(v.nullable(v.string())),
  trackerExternalUrl: v.optional(v.nullable(v.string())),
  apiUrl: v.optional(v.nullable(v.string())),
  createdAt: Timestamp,
})

/** The error tracking integration of a project. The last item applies. */
export const errorTrackingSection = defineSection(
  'errorTracking',
  ErrorTracking,
  async (seeder: Seeder, { createdAt, ...fields }, parent: SectionParent) => {
    await seeder.asHost(createdAt).errorTracking.set({ project: projectOf(parent), ...fields })
  },
)

const DependencyReport = v.strictObject({
  dependencies: v.array(
    v.strictObject({
      name: v.string(),
      version: v.optional(v.string()),
      packageManager: v.picklist(['bundler', 'composer', 'maven', 'npm', 'pip', 'pnpm', 'yarn']),
      dependencyFilePath: v.optional(v.string()),
      licenses: v.optional(v.array(v.string())),
      vulnerabilities: v.optional(
        v.array(
          v.strictObject({
            name: v.string(),
            severity: v.picklist(['unknown', 'info', 'low', 'medium', 'high', 'critical']),
          }),
        ),
      ),
    }),
  ),
})

/** Dependency reports of a project. The last item applies. */
export const dependencyReportsSection = defineSection(
  'dependencyReports',
  DependencyReport,
  async (seeder: Seeder, fields, parent: SectionParent) => {
    await seeder.asHost().dependencies.report({ project: projectOf(parent), ...fields })
  },
)

const DeployKey = v.strictObject({
  key: v.string(),
  title: v.optional(v.string()),
  canPush: v.optional(v.boolean()),
  /** Time after which the key is rejected; ISO 8601, UTC without an offset. Default: it does not expire. */
  expiresAt: v.optional(v.string()),
  createdAt: Timestamp,
})

/** Deploy keys of a project. Several projects can have the same key. */
export const deployKeysSection = defineSection(
  'deployKeys',
  DeployKey,
  async (seeder: Seeder, { createdAt, ...fields }, parent: SectionParent) => {
    const { id, title } = await seeder.asHost(createdAt).deployKeys.create({ project: projectOf(parent), ...fields })
    seeder.record('deployKeys', `${parent.path} ${title}`, { id })
  },
  namedIn(
    (host) => host.deployKeys,
    ({ key }) => publicKeyOf(key),
  ),
)

const PagesDomain = v.strictObject({
  domain: v.string(),
  autoSslEnabled: v.optional(v.boolean()),
  /** PEM, with the certificate chain. */
  certificate: v.optional(v.string()),
  /** Private key, PEM. */
  key: v.optional(v.string()),
  createdAt: Timestamp,
})

/** Pages domains of a project. */
export const pagesDomainsSection = defineSection(
  'pagesDomains',
  PagesDomain,
  async (seeder: Seeder, { createdAt, ...fields }, parent: SectionParent) => {
    await seeder.asHost(createdAt).pagesDomains.create({ project: projectOf(parent), ...fields })
  },
  namedIn(
    (host) => host.pagesDomains,
    ({ domain }) => domain.toLowerCase(),
  ),
)

const RemoteMirror = v.strictObject({
  /** Name in the result. Default: the project path and the id. */
  as: v.optional(v.string()),
  /** May contain a username and password. */
  url: v.string(),
  enabled: v.optional(v.boolean()),
  onlyProtectedBranches: v.optional(v.boolean()),
  keepDivergentRefs: v.optional(v.boolean()),
  /** Only branches whose name contains a match are pushed, instead of `onlyProtectedBranches`. */
  mirrorBranchRegex: v.optional(v.string()),
  createdAt: Timestamp,
})

/** Push mirrors of a project. */
export const remoteMirrorsSection = defineSection(
  'remoteMirrors',
  RemoteMirror,
  async (seeder: Seeder, { as: name, createdAt, ...fields }, parent: SectionParent) => {
    const { id } = await seeder.asHost(createdAt).remoteMirrors.create({ project: projectOf(parent), ...fields })
    seeder.record('remoteMirrors', name ?? `${parent.path} ${id}`, { id })
  },
  namedIn(
    (host) => host.remoteMirrors,
    ({ url }) => withoutCredentials(url),
  ),
)
