import { expressionBuilder } from 'kysely'
import { getProjectAccessLevels } from '../../../access/actor-levels.ts'
import { readCustomAttributes } from '../../../access/custom-attributes.ts'
import { withGrants } from '../../../access/grants.ts'
import { readableGroups, readableProjects } from '../../../access/predicates.ts'
import { projectColumns } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { isFeatureEnabled } from '../../../policy/rules.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { getLineOptions } from '../../administration/settings/image-proxy.ts'
import { getRegistryHost } from './image-prefix.ts'
import type { ProjectRecord, SharedGroup } from './project-record.ts'
import { readProjectStatistics } from './project-statistics.ts'
import { withDefaultSettings } from './settings.ts'

type Ids = readonly number[]

const indexById = <T extends { readonly id: number }>(rows: readonly T[]): ReadonlyMap<number, T> =>
  new Map(rows.map((row) => [row.id, row]))

/** Groups rows by `ownerId` and removes it from them. */
const groupByOwner = <T extends { readonly ownerId: number | null }>(rows: readonly T[]) => {
  const groups = new Map<number | null, Omit<T, 'ownerId'>[]>()
  for (const { ownerId, ...row } of rows) {
    const group = groups.get(ownerId)
    if (group) group.push(row)
    else groups.set(ownerId, [row])
  }
  return (id: number): readonly Omit<T, 'ownerId'>[] => groups.get(id) ?? []
}

const readDetails = async (ctx: Context, ids: Ids) =>
  indexById(
    await ctx.db
      .selectFrom('project')
      .leftJoin('pullMirror', 'pullMirror.projectId', 'project.id')
      .where('project.id', 'in', ids)
      .select(['project.id', 'settings', 'emptyRepo', 'forkedFromId', 'runnersToken'])
      .select(['pullMirror.enabled as mirror', 'shownUrl as mirrorUrl', 'userId as mirrorUserId'])
      .select(['triggerBuilds as mirrorTriggerBuilds', 'onlyProtectedBranches as onlyMirrorProtectedBranches'])
      .select(['branchRegex as mirrorBranchRegex', 'overwritesDivergedBranches as mirrorOverwritesDivergedBranches'])
      .execute(),
  )

interface MirrorColumns {
  readonly mirrorUserId: number | null
  readonly mirrorTriggerBuilds: boolean | null
  readonly onlyMirrorProtectedBranches: boolean | null
  readonly mirrorBranchRegex: string | null
  readonly mirrorOverwritesDivergedBranches: boolean | null
}

const readNamespaces = async (ctx: Context, ids: Ids) =>
  indexById(
    await ctx.db
      .selectFrom('namespace')
      .where('id', 'in', ids)
      .select(['id', 'name', 'fullName', 'path', 'kind', 'fullPath', 'parentId', 'avatarUrl', 'ownerId'])
      .execute(),
  )

const readNamespacesAndOwners = async (ctx: Context, ids: Ids) => {
  const namespaces = await readNamespaces(ctx, ids)
  const ownerIds = [...namespaces.values()].map(({ ownerId }) => ownerId)
  return { namespaces, owners: await userSummaries(ctx, ownerIds) }
}

/** The columns of an enabled mirror, which has a value for each. */
const toMirrorFields = ({ mirrorTriggerBuilds, mirrorOverwritesDivergedBranches, ...others }: MirrorColumns) => ({
  ...others,
  mirrorTriggerBuilds: mirrorTriggerBuilds === true,
  mirrorOverwritesDivergedBranches: mirrorOverwritesDivergedBranches === true,
})

const createCountLookup = (rows: readonly { readonly id: number | null; readonly count: number | string }[]) => {
  const counts = new Map(rows.map(({ id, count }) => [id, Number(count)]))
  return (id: number) => counts.get(id) ?? 0
}

const countStars = async (ctx: Context, ids: Ids) =>
  createCountLookup(
    await ctx.db
      .selectFrom('projectStar')
      .where('projectId', 'in', ids)
      .groupBy('projectId')
      .select((eb) => ['projectId as id', eb.fn.countAll<number>().as('count')])
      .execute(),
  )

const countForks = async (ctx: Context, ids: Ids) =>
  createCountLookup(
    await ctx.db
      .selectFrom('project')
      .where('project.forkedFromId', 'in', ids)
      .where(readableProjects(await withGrants(ctx)))
      .groupBy('project.forkedFromId')
      .select((eb) => ['project.forkedFromId as id', eb.fn.countAll<number>().as('count')])
      .execute(),
  )

/** Projects that the current user can see, by id, as forks and runners name them. */
export const readForkSources = async (
  ctx: Context,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, ProjectRecord>> => {
  const sourceIds = ids.filter((id) => id !== null)
  if (!sourceIds.length) return new Map()
  const projects = await ctx.db
    .selectFrom('project')
    .where('project.id', 'in', sourceIds)
    .where(readableProjects(await withGrants(ctx)))
    .select(projectColumns)
    .execute()
  return indexById(await readProjectRecords(ctx, projects, { sources: false }))
}

const readDetailsAndSources = async (ctx: Context, ids: Ids, withSources: boolean) => {
  const details = await readDetails(ctx, ids)
  const sourceIds = withSources ? [...details.values()].map(({ forkedFromId }) => forkedFromId) : []
  return { details, sources: await readForkSources(ctx, sourceIds) }
}

const countOpenIssues = async (ctx: Context, ids: Ids) =>
  createCountLookup(
    await ctx.db
      .selectFrom('issueCount')
      .where('projectId', 'in', ids)
      .select(['projectId as id', 'opened as count'])
      .execute(),
  )

/** Groups that each project or group is shared with and the current user can see. */
export async function readSharedGroups(
  ctx: Context,
  column: 'projectId' | 'groupId',
  ids: Ids,
): Promise<(id: number) => readonly SharedGroup[]> {
  const readable = readableGroups(await withGrants(ctx))
  const rows = await ctx.db
    .selectFrom('share')
    .innerJoin('namespace', 'namespace.id', 'share.withGroupId')
    .where(`share.${column}`, 'in', ids)
    .where(isUnexpired('share.expiresAt', today(ctx)))
    .where(readable(expressionBuilder()))
    .orderBy('share.id')
    .select([`share.${column} as ownerId`, 'share.withGroupId as groupId', 'namespace.name as groupName'])
    .select(['namespace.fullPath as groupFullPath', 'share.accessLevel as groupAccessLevel', 'share.expiresAt'])
    .execute()
  return groupByOwner(rows)
}

/** What records contain on request. */
export interface RecordOptions {
  readonly withCustomAttributes?: boolean | undefined
  readonly statistics?: boolean | undefined
  readonly license?: boolean | undefined
  /** Whether to include the sources of forks. Default: true. */
  readonly sources?: boolean | undefined
}

/** Full records of projects for the current user, in about ten queries regardless of their number. */
export async function readProjectRecords(
  ctx: Context,
  projects: readonly Project[],
  {
    withCustomAttributes = false,
    statistics = false,
    license: withLicense = false,
    sources: withSources = true,
  }: RecordOptions = {},
): Promise<ProjectRecord[]> {
  if (!projects.length) return []
  const ids = projects.map(({ id }) => id)
  const administrator = isAdministrator(ctx.actor)
  const readsAttributes = administrator && withCustomAttributes
  const [
    { details, sources },
    { namespaces, owners },
    accessLevelOf,
    starCountOf,
    forksCountOf,
    openIssuesCountOf,
    sharedGroupsOf,
    customAttributesOf,
    statisticsOf,
    lineOptions,
  ] = await awaitAll([
    readDetailsAndSources(ctx, ids, withSources),
    readNamespacesAndOwners(
      ctx,
      projects.map(({ namespaceId }) => namespaceId),
    ),
    getProjectAccessLevels(ctx, ids),
    countStars(ctx, ids),
    countForks(ctx, ids),
    countOpenIssues(ctx, ids),
    readSharedGroups(ctx, 'projectId', ids),
    readsAttributes ? readCustomAttributes(ctx, 'projectId', ids) : undefined,
    statistics ? readProjectStatistics(ctx, ids) : undefined,
    getLineOptions(ctx),
  ])
  const registryHost = getRegistryHost(ctx)

  return projects.map((project) => {
    const { defaultBranch, restrictedFeatures: _, ...fields } = project
    const { id: _id, settings, emptyRepo, forkedFromId, runnersToken, ...mirrored } = defined(details.get(project.id))
    const { mirror, mirrorUrl, ...mirrorOptions } = mirrored
    const { ciConfigPath, repositoryStorage, importType, importError, importSource, license, ...visibleSettings } =
      withDefaultSettings(settings)
    const { fullName, ownerId, ...namespace } = defined(namespaces.get(project.namespaceId))
    const access = accessLevelOf(project.id)
    const subject = { kind: 'project', project, access } as const
    const canReadCode = hasAbility(ctx.actor, subject, 'code.read')
    const canListIssues = hasAbility(ctx.actor, subject, 'issue.list')
    const owner = ownerId === null ? undefined : owners.get(ownerId)
    const forkedFromProject = forkedFromId === null ? undefined : sources.get(forkedFromId)
    return {
      ...fields,
      ...visibleSettings,
      namespace,
      nameWithNamespace: `${fullName} / ${project.name}`,
      ...(owner && { owner }),
      ...(canReadCode && { defaultBranch, ciConfigPath }),
      ...(administrator && { repositoryStorage }),
      ...(hasAbility(ctx.actor, subject, 'project.update') && {
        importType,
        importError,
        importUrl: mirrorUrl ?? importSource,
      }),
      mirror: mirror === true,
      ...(mirror === true && toMirrorFields(mirrorOptions)),
      ...(runnersToken !== null && hasAbility(ctx.actor, subject, 'runner.manage') && { runnersToken }),
      readmeFile: canReadCode && !emptyRepo ? visibleSettings.readmePath : null,
      starCount: starCountOf(project.id),
      forksCount: forksCountOf(project.id),
      ...(forkedFromProject && { forkedFromProject }),
      ...(canListIssues && { openIssuesCount: openIssuesCountOf(project.id) }),
      emptyRepo,
      sharedWithGroups: sharedGroupsOf(project.id),
      issuesEnabled: canListIssues,
      mergeRequestsEnabled: hasAbility(ctx.actor, subject, 'mergeRequest.list'),
      wikiEnabled: isFeatureEnabled(visibleSettings.wikiAccessLevel, access, ctx.actor),
      jobsEnabled: isFeatureEnabled(visibleSettings.buildsAccessLevel, access, ctx.actor),
      snippetsEnabled: isFeatureEnabled(project.snippetsAccessLevel, access, ctx.actor),
      descriptionHtml: project.description
        ? `<p dir="auto">${ctx.ports.markdown.line(project.description, lineOptions)}</p>`
        : '',
      containerRegistryImagePrefix: `${registryHost}/${project.fullPath.toLowerCase()}`,
      canCreateMergeRequestIn: hasAbility(ctx.actor, subject, 'mergeRequest.createIn'),
      ...(statisticsOf &&
        hasAbility(ctx.actor, subject, 'project.readStatistics') && { statistics: statisticsOf(project.id) }),
      ...(withLicense && canReadCode && { license: emptyRepo ? null : license }),
      ...(customAttributesOf && { customAttributes: customAttributesOf(project.id) }),
    }
  })
}
