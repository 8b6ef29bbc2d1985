import { guessTier } from '../../features/code/pipeline-records/job-environment.ts'
import type { reportedStatuses } from '../../features/delivery/deployments/deployment.ts'
import { defaultAutoStopSetting } from '../../features/delivery/environments/environment.ts'
import { projectHookEvents } from '../../features/integration/hooks/hook.ts'
import { defined } from '../../shared/defined.ts'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, omitVariables, present, readShown, unless } from './exporter.ts'
import { exportFeatureFlags } from './feature-flags.ts'
import { exportGrants } from './grants.ts'
import { exportPackages } from './packages.ts'

type SeedProject = NonNullable<Seed['projects']>[number]
type Details = Pick<
  SeedProject,
  | 'environments'
  | 'protectedEnvironments'
  | 'errorTracking'
  | 'featureFlagUserLists'
  | 'featureFlags'
  | 'dependencyReports'
  | 'deployKeys'
  | 'freezePeriods'
  | 'pagesDomains'
  | 'remoteMirrors'
  | 'containerRepositories'
  | 'packages'
  | 'releases'
  | 'hooks'
>

const exportEnvironments = async ({ host, omit }: Exporter, project: number) => {
  const environments = []
  const list = await readShown(host.environments.list, { project })
  for (const { id, name, externalUrl, state, tier, description, autoStopSetting } of list) {
    const deployments = await readAll(host.deployments.list, { project, environment: id })
    // Those of pipeline jobs follow from the pipelines of the seed.
    const reported = deployments.filter(({ deployable }) => !deployable?.isPipelineJob)
    const written = reported.filter(({ user }) => user !== null)
    if (written.length < reported.length) omit('deployments of removed users')
    if (written.some(({ deployable }) => deployable)) omit('jobs of deployments')
    environments.push({
      name,
      ...present({ externalUrl, description, tier: tier === guessTier(name) ? undefined : tier }),
      ...(autoStopSetting !== defaultAutoStopSetting(name, tier) && { autoStopSetting }),
      ...(state === 'stopped' && { state }),
      ...present({
        deployments: written.map(({ user, ref, sha, status, createdAt }) => ({
          user: user?.username as string,
          ref,
          sha,
          status: status as (typeof reportedStatuses)[number],
          createdAt,
        })),
      }),
    })
  }
  return environments
}

const exportProtectedEnvironments = async (exporter: Exporter, project: number) => {
  const { host } = exporter
  const list = await readShown(host.protectedEnvironments.list, { project })
  const protectedEnvironments = []
  for (const { name, deployAccessLevels, requiredApprovalCount, approvalRules: rules } of list) {
    const approvalRules = []
    for (const { requiredApprovals, ...rule } of rules)
      approvalRules.push({ ...(await exportGrants(exporter, [rule])), requiredApprovals })
    const grants = await exportGrants(exporter, deployAccessLevels)
    protectedEnvironments.push({ name, ...grants, ...present({ requiredApprovalCount, approvalRules }) })
  }
  return protectedEnvironments
}

const exportContainerRepositories = async ({ host }: Exporter, project: number) => {
  const repositories = []
  for (const { id, name, createdAt } of await readShown(host.containerRepositories.list, { project })) {
    const tags = []
    for (const { name: tag } of await readAll(host.containerTags.list, { project, repository: id })) {
      const detail = await host.containerTags.get({ project, repository: id, tag })
      tags.push({
        name: tag,
        digest: detail.digest,
        ...present({ revision: detail.revision, createdAt: detail.createdAt, totalSize: detail.totalSize }),
      })
    }
    repositories.push({ createdAt, ...present({ name, tags }) })
  }
  return repositories
}

export const exportReleases = async ({ host, omit }: Exporter, project: number) => {
  const releases = await unless(
    ['not_found', 'unavailable'],
    readAll(host.releases.list, { project, orderBy: 'created_at', sort: 'asc' }),
  )
  const written = (releases ?? []).filter(({ author }) => author)
  if (written.length < (releases ?? []).length) omit('releases of removed users')
  return written.map(({ tagName, name, description, author, createdAt, milestones, links }) => ({
    tag: tagName,
    name,
    author: defined(author).username,
    createdAt,
    ...present({
      description,
      milestones: milestones.map(({ title }) => title),
      links: links
        .map((link) => ({
          name: link.name,
          url: link.url,
          linkType: link.linkType,
          ...present({ filepath: link.filepath }),
        }))
        .reverse(),
    }),
  }))
}

/** Webhooks without their secrets. */
export async function exportHooks({ host, omit }: Exporter, project: number): Promise<Details['hooks']> {
  const hooks = await readAll(host.hooks.list, { project })
  if (hooks.length) omit('secret tokens, custom headers and credentials in the URLs of webhooks')
  const withoutVariables = hooks.filter(({ urlVariables }) => !urlVariables.length)
  if (withoutVariables.length < hooks.length) omit('webhooks with variables in their URLs')
  return withoutVariables.map(({ url, name, description, customWebhookTemplate, enableSslVerification, ...hook }) => ({
    url: url.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1'),
    enableSslVerification,
    ...(hook.branchFilterStrategy !== 'wildcard' && { branchFilterStrategy: hook.branchFilterStrategy }),
    ...present({ name, description, customWebhookTemplate, pushEventsBranchFilter: hook.pushEventsBranchFilter }),
    ...Object.fromEntries(projectHookEvents.map((event) => [event, hook[event]])),
  }))
}

/** The sections that only projects have, except issues, merge requests and snippets. */
export async function exportProjectDetails(exporter: Exporter, project: number, hasCode: boolean): Promise<Details> {
  const { host, omit } = exporter
  await omitVariables(exporter, { project })
  const errorTracking = await unless(['not_found', 'forbidden'], host.errorTracking.get({ project }))
  const dependencies = await readShown(host.dependencies.list, { project })
  const deployKeys = await readAll(host.deployKeys.list, { project })
  const domains = await readShown(host.pagesDomains.list, { project })
  const freezePeriods = await readAll(host.freezePeriods.list, { project })
  const mirrors = await readAll(host.remoteMirrors.list, { project })
  if ((await readShown(host.secureFiles.list, { project })).length) omit('secure files')
  if (deployKeys.length && (await host.deployKeys.list({ public: true, perPage: 1 })).items.length) {
    omit('that deploy keys are public')
  }
  if (mirrors.length) omit('credentials in the URLs of remote mirrors')
  if (domains.some(({ certificate }) => certificate)) omit('certificates of Pages domains')
  return present({
    environments: await exportEnvironments(exporter, project),
    protectedEnvironments: await exportProtectedEnvironments(exporter, project),
    errorTracking: errorTracking ? [errorTracking] : [],
    ...(await exportFeatureFlags(exporter, project)),
    dependencyReports: dependencies.length
      ? [
          {
            dependencies: dependencies.map(({ licenses, ...dependency }) => ({
              ...dependency,
              licenses: licenses.map(({ name }) => name),
            })) as never,
          },
        ]
      : [],
    deployKeys: deployKeys.map(({ key, title, canPush, expiresAt, createdAt }) => ({
      key,
      title,
      createdAt,
      ...present({ canPush, expiresAt }),
    })),
    freezePeriods: freezePeriods.map(({ freezeStart, freezeEnd, cronTimezone, createdAt }) => ({
      freezeStart,
      freezeEnd,
      cronTimezone,
      createdAt,
    })),
    pagesDomains: domains.map(({ domain, autoSslEnabled }) => ({ domain, ...present({ autoSslEnabled }) })),
    remoteMirrors: mirrors.map(({ url, enabled, onlyProtectedBranches, keepDivergentRefs, mirrorBranchRegex }) => ({
      url: url.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1'),
      enabled,
      ...present({ onlyProtectedBranches, keepDivergentRefs, mirrorBranchRegex }),
    })),
    containerRepositories: await exportContainerRepositories(exporter, project),
    packages: await exportPackages(exporter, project),
    releases: hasCode ? await exportReleases(exporter, project) : [],
    hooks: await exportHooks(exporter, project),
  })
}
