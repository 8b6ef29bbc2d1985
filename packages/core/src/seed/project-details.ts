import * as v from 'valibot'
import type { Container } from './container.ts'
import { At, type Planting, section } from './planting.ts'

const projectOf = (on: Container) => (on as { project: number }).project

const Tracking = v.strictObject({
  active: v.optional(v.boolean()),
  projectName: v.string(),
  trackerExternalUrl: v.string(),
  apiUrl: v.string(),
  createdAt: At,
})

/** Where the errors of a project are collected; one at most counts. */
export const errorTrackingSection = section(
  'errorTracking',
  Tracking,
  async (planting: Planting, { createdAt, ...given }, on: Container) => {
    await planting.at(createdAt).errorTracking.configure({ project: projectOf(on), ...given })
  },
)

const Dependencies = v.strictObject({
  dependencies: v.array(
    v.strictObject({
      name: v.string(),
      version: v.optional(v.string()),
      packageManager: v.picklist(['bundler', 'composer', 'maven', 'npm', 'pip', 'yarn']),
      dependencyFilePath: v.optional(v.string()),
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

/** Reports of what a project is built of; the last one counts. */
export const dependencyReportsSection = section(
  'dependencyReports',
  Dependencies,
  async (planting: Planting, given, on: Container) => {
    await planting.at().dependencies.report({ project: projectOf(on), ...given })
  },
)

const DeployKey = v.strictObject({
  key: v.string(),
  title: v.optional(v.string()),
  canPush: v.optional(v.boolean()),
  expiresAt: v.optional(v.string()),
  createdAt: At,
})

/** Keys of no user that open a project. The same key may stand in several. */
export const deployKeysSection = section(
  'deployKeys',
  DeployKey,
  async (planting: Planting, { createdAt, ...given }, on: Container) => {
    const { id, title } = await planting.at(createdAt).deployKeys.add({ project: projectOf(on), ...given })
    planting.note('deployKeys', `${on.path} ${title}`, { id })
  },
)

const PagesDomain = v.strictObject({
  domain: v.string(),
  autoSslEnabled: v.optional(v.boolean()),
  /** PEM, with all above it. */
  certificate: v.optional(v.string()),
  /** PEM. */
  key: v.optional(v.string()),
  createdAt: At,
})

/** Domains under which the pages of a project are found. */
export const pagesDomainsSection = section(
  'pagesDomains',
  PagesDomain,
  async (planting: Planting, { createdAt, ...given }, on: Container) => {
    await planting.at(createdAt).pagesDomains.create({ project: projectOf(on), ...given })
  },
)

const RemoteMirror = v.strictObject({
  /** User and password may stand in it. */
  url: v.string(),
  enabled: v.optional(v.boolean()),
  onlyProtectedBranches: v.optional(v.boolean()),
  keepDivergentRefs: v.optional(v.boolean()),
  createdAt: At,
})

/** Repositories elsewhere that follow the one of a project. */
export const remoteMirrorsSection = section(
  'remoteMirrors',
  RemoteMirror,
  async (planting: Planting, { createdAt, ...given }, on: Container) => {
    const { id } = await planting.at(createdAt).remoteMirrors.create({ project: projectOf(on), ...given })
    planting.note('remoteMirrors', `${on.path} ${id}`, { id })
  },
)
