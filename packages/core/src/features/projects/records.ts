import { accessToProjects } from '../../access/accesses.ts'
import { readableGroups, readableProjects } from '../../access/predicates.ts'
import { isAdministrator } from '../../kernel/actor.ts'
import { type Context, today } from '../../kernel/context.ts'
import { may, open } from '../../policy.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { Project } from './project.ts'
import type { ProjectRecord, SharedGroup } from './record.ts'
import { projectSettings } from './settings.ts'

type Ids = readonly number[]

const byId = <T extends { readonly id: number }>(rows: readonly T[]): ReadonlyMap<number, T> =>
  new Map(rows.map((row) => [row.id, row]))

/** Rows gathered under the id that each carries as `of`, without it. */
const gathered = <T extends { readonly of: number | null }>(rows: readonly T[]) => {
  const groups = new Map<number | null, Omit<T, 'of'>[]>()
  for (const { of, ...row } of rows) {
    const known = groups.get(of)
    if (known) known.push(row)
    else groups.set(of, [row])
  }
  return (id: number): readonly Omit<T, 'of'>[] => groups.get(id) ?? []
}

const details = async (ctx: Context, ids: Ids) =>
  byId(await ctx.db.selectFrom('project').where('id', 'in', ids).select(['id', 'settings', 'emptyRepo']).execute())

const homes = async (ctx: Context, ids: Ids) =>
  byId(
    await ctx.db
      .selectFrom('namespace')
      .where('id', 'in', ids)
      .select(['id', 'name', 'fullName', 'path', 'kind', 'fullPath', 'parentId', 'avatarUrl', 'ownerId'])
      .execute(),
  )

const counted = (rows: readonly { readonly id: number | null; readonly count: number | string }[]) => {
  const counts = new Map(rows.map(({ id, count }) => [id, Number(count)]))
  return (id: number) => counts.get(id) ?? 0
}

const stars = async (ctx: Context, ids: Ids) =>
  counted(
    await ctx.db
      .selectFrom('projectStar')
      .where('projectId', 'in', ids)
      .groupBy('projectId')
      .select((eb) => ['projectId as id', eb.fn.countAll<number>().as('count')])
      .execute(),
  )

const forks = async (ctx: Context, ids: Ids) =>
  counted(
    await ctx.db
      .selectFrom('project')
      .where('project.forkedFromId', 'in', ids)
      .where(readableProjects(ctx))
      .groupBy('project.forkedFromId')
      .select((eb) => ['project.forkedFromId as id', eb.fn.countAll<number>().as('count')])
      .execute(),
  )

const openIssues = async (ctx: Context, ids: Ids) =>
  counted(
    await ctx.db
      .selectFrom('issueCount')
      .where('projectId', 'in', ids)
      .select(['projectId as id', 'opened as count'])
      .execute(),
  )

/** The groups that each of these projects or groups is shared with, as far as the reader can see them. */
export async function sharedGroups(
  ctx: Context,
  column: 'projectId' | 'groupId',
  ids: Ids,
): Promise<(id: number) => readonly SharedGroup[]> {
  const rows = await ctx.db
    .selectFrom('share')
    .innerJoin('namespace', 'namespace.id', 'share.withGroupId')
    .where(`share.${column}`, 'in', ids)
    .where((eb) => eb.or([eb('share.expiresAt', 'is', null), eb('share.expiresAt', '>', today(ctx))]))
    .where((eb) => readableGroups(ctx)(eb as never))
    .orderBy('share.id')
    .select([`share.${column} as of`, 'share.withGroupId as groupId', 'namespace.name as groupName'])
    .select(['namespace.fullPath as groupFullPath', 'share.accessLevel as groupAccessLevel', 'share.expiresAt'])
    .execute()
  return gathered(rows)
}

/** What administrators keep about each of these projects or groups. */
export const keptWords = async (ctx: Context, column: 'projectId' | 'groupId', ids: Ids) =>
  gathered(
    await ctx.db
      .selectFrom('customAttribute')
      .where(column, 'in', ids)
      .orderBy('id')
      .select([`${column} as of`, 'key', 'value'])
      .execute(),
  )

interface Wanted {
  readonly withCustomAttributes?: boolean | undefined
}

/** Projects with everything that the reader is told of them, in a dozen queries however many there are. */
export async function projectRecords(
  ctx: Context,
  projects: readonly Project[],
  { withCustomAttributes = false }: Wanted = {},
): Promise<ProjectRecord[]> {
  if (!projects.length) return []
  const ids = projects.map(({ id }) => id)
  const administrator = isAdministrator(ctx.actor)
  const more = await details(ctx, ids)
  const places = await homes(
    ctx,
    projects.map(({ namespaceId }) => namespaceId),
  )
  const people = await userSummaries(
    ctx,
    [...places.values()].map(({ ownerId }) => ownerId),
  )
  const accessTo = await accessToProjects(ctx, ids)
  const starsOf = await stars(ctx, ids)
  const forksOf = await forks(ctx, ids)
  const issuesOf = await openIssues(ctx, ids)
  const sharesOf = await sharedGroups(ctx, 'projectId', ids)
  const wordsOf = administrator && withCustomAttributes ? await keptWords(ctx, 'projectId', ids) : undefined

  return projects.map((project) => {
    const { defaultBranch, ...shown } = project
    const { settings, emptyRepo } = more.get(project.id) as { settings: null; emptyRepo: boolean }
    const { ciConfigPath, repositoryStorage, ...plain } = projectSettings(settings)
    const { fullName, ownerId, ...home } = places.get(project.namespaceId) as NonNullable<ReturnType<typeof places.get>>
    const access = accessTo(project.id)
    const subject = { kind: 'project', project, access } as const
    const seesCode = may(ctx.actor, subject, 'code.read')
    const seesIssues = may(ctx.actor, subject, 'issue.list')
    const owner = ownerId === null ? undefined : people.get(ownerId)
    return {
      ...shown,
      ...plain,
      namespace: home,
      nameWithNamespace: `${fullName} / ${project.name}`,
      ...(owner && { owner }),
      ...(seesCode && { defaultBranch, ciConfigPath }),
      ...(administrator && { repositoryStorage }),
      readmeFile: seesCode && !emptyRepo ? plain.readmePath : null,
      starCount: starsOf(project.id),
      forksCount: forksOf(project.id),
      ...(seesIssues && { openIssuesCount: issuesOf(project.id) }),
      emptyRepo,
      sharedWithGroups: sharesOf(project.id),
      issuesEnabled: seesIssues,
      mergeRequestsEnabled: may(ctx.actor, subject, 'mergeRequest.list'),
      wikiEnabled: open(plain.wikiAccessLevel, access, ctx.actor),
      jobsEnabled: open(plain.buildsAccessLevel, access, ctx.actor),
      snippetsEnabled: open(project.snippetsAccessLevel, access, ctx.actor),
      canCreateMergeRequestIn: may(ctx.actor, subject, 'mergeRequest.create'),
      ...(wordsOf && { customAttributes: wordsOf(project.id) }),
    }
  })
}
