import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { Milestone } from '../milestones/milestone.ts'
import { milestonesById } from '../milestones/queries.ts'
import type { Project } from '../projects/project.ts'
import type { OpenedRepository } from '../repository/opened-repository.ts'
import { toCommit } from '../repository/repository.ts'
import type { Release, ReleaseLink, ReleaseRecord } from './release.ts'

const columns = [
  'release.id',
  'release.projectId',
  'release.tag',
  'release.name',
  'release.description',
  'release.sha',
  'release.authorId',
  'release.releasedAt',
  'release.createdAt',
] as const

export const linkColumns = [
  'releaseLink.id',
  'releaseLink.name',
  'releaseLink.url',
  'releaseLink.linkType',
  'releaseLink.filepath',
] as const

/** The releases of a project, in no order. */
export const releasesOf = (ctx: Context, projectId: number) =>
  ctx.db.selectFrom('release').where('release.projectId', '=', projectId).select(columns)

/** One release of a project, by its tag. */
export async function findRelease(ctx: Context, projectId: number, tag: string): Promise<ReleaseRecord> {
  const row = await releasesOf(ctx, projectId).where('release.tag', '=', tag).executeTakeFirst()
  if (row === undefined) throw notFound('')
  return row
}

const linksOf = async (ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, ReleaseLink[]>> => {
  const found = new Map<number, ReleaseLink[]>(ids.map((id) => [id, []]))
  const rows = await ctx.db
    .selectFrom('releaseLink')
    .where('releaseId', 'in', ids)
    .orderBy('releaseLink.id', 'desc')
    .select(linkColumns)
    .select('releaseLink.releaseId')
    .execute()
  for (const { releaseId, ...link } of rows) found.get(releaseId)?.push(link)
  return found
}

const milestonesOf = async (ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, Milestone[]>> => {
  const rows = await ctx.db
    .selectFrom('releaseMilestone')
    .where('releaseId', 'in', ids)
    .orderBy('milestoneId')
    .select(['releaseId', 'milestoneId'])
    .execute()
  const milestones = await milestonesById(
    ctx,
    rows.map(({ milestoneId }) => milestoneId),
  )
  const found = new Map<number, Milestone[]>(ids.map((id) => [id, []]))
  for (const { releaseId, milestoneId } of rows) {
    const milestone = milestones.get(milestoneId)
    if (milestone) found.get(releaseId)?.push(milestone)
  }
  return found
}

/** A release, and the commit that is still to be asked for. */
export type UnreadRelease = Release & { readonly sha: string | null }

/** Releases with all that the database knows of them, in a handful of queries. */
export async function completeReleases(
  ctx: Context,
  project: Project,
  records: readonly ReleaseRecord[],
): Promise<UnreadRelease[]> {
  if (!records.length) return []
  const ids = records.map(({ id }) => id)
  const people = await userSummaries(
    ctx,
    records.flatMap(({ authorId }) => authorId ?? []),
  )
  const links = await linksOf(ctx, ids)
  const milestones = await milestonesOf(ctx, ids)
  return records.map((record) => ({
    id: record.id,
    projectId: record.projectId,
    projectPath: project.fullPath,
    tagName: record.tag,
    name: record.name,
    description: record.description,
    createdAt: record.createdAt,
    releasedAt: record.releasedAt,
    upcomingRelease: record.releasedAt > ctx.now,
    author: record.authorId === null ? null : (people.get(record.authorId) ?? null),
    sha: record.sha,
    commit: null,
    milestones: milestones.get(record.id) ?? [],
    links: links.get(record.id) ?? [],
  }))
}

/** Adds the commits, outside of any transaction. */
export const withCommits = (
  opened: OpenedRepository | undefined,
  releases: readonly UnreadRelease[],
): Promise<Release[]> =>
  Promise.all(
    releases.map(async ({ sha, ...release }) => {
      const commit = sha === null ? undefined : await opened?.repository.commit(sha)
      return { ...release, commit: commit === undefined ? null : toCommit(commit) }
    }),
  )
