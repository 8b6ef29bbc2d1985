import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { readViewerAccess } from '../../code/protected-references/reference-access.ts'
import type { OpenedRepository } from '../../code/repository/opened-repository.ts'
import { toCommit } from '../../code/repository/repository.ts'
import { milestonesById } from '../../planning/milestones/queries.ts'
import { readEvidence } from '../release-evidences/evidence.ts'
import type { Release, ReleaseLink, ReleaseMilestone, ReleaseRecord, ReleaseWithoutCommit } from './release.ts'

const releaseColumns = [
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

/** The releases of a project, unordered. */
export const selectReleases = (ctx: Context, projectId: number) =>
  ctx.db.selectFrom('release').where('release.projectId', '=', projectId).select(releaseColumns)

/** One release of a project, by its tag. */
export async function findRelease(ctx: Context, projectId: number, tag: string): Promise<ReleaseRecord> {
  const row = await selectReleases(ctx, projectId).where('release.tag', '=', tag).executeTakeFirst()
  if (row === undefined) throw notFound('')
  return row
}

/**
 * Releases of protected tags belong to those who may create the tags, whether or not the tag exists.
 *
 * @throws PlatformError `forbidden` for others
 */
export const assertMayRelease = async (ctx: Context, project: Project, tag: string): Promise<void> => {
  if (!(await readViewerAccess(ctx, project)).canCreateTag(tag))
    throw forbidden('You are not allowed to manage releases of this tag as it is protected.')
}

/** One release of a project that the current user may change, by its tag. */
export const findManagedRelease = async (ctx: Context, project: Project, tag: string): Promise<ReleaseRecord> => {
  const release = await findRelease(ctx, project.id, tag)
  await assertMayRelease(ctx, project, tag)
  return release
}

const readLinks = async (ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, ReleaseLink[]>> => {
  const links = new Map<number, ReleaseLink[]>(ids.map((id) => [id, []]))
  const rows = await ctx.db
    .selectFrom('releaseLink')
    .where('releaseId', 'in', ids)
    .orderBy('releaseLink.id', 'desc')
    .select(linkColumns)
    .select('releaseLink.releaseId')
    .execute()
  for (const { releaseId, ...link } of rows) links.get(releaseId)?.push(link)
  return links
}

/** Numbers of issues by milestone. */
const countIssues = async ({ db }: Context, milestoneIds: readonly number[]) => {
  if (!milestoneIds.length) return new Map<number, ReleaseMilestone['issueStats']>()
  const rows = await db
    .selectFrom('issue')
    .where('milestoneId', 'in', milestoneIds)
    .groupBy(['milestoneId', 'state'])
    .select(['milestoneId', 'state'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ milestoneId }) => milestoneId ?? 0)].map(([id, counts]) => {
      const sum = (some: typeof rows) => some.reduce((total, { count }) => total + Number(count), 0)
      return [id, { total: sum(counts), closed: sum(counts.filter(({ state }) => state === 'closed')) }]
    }),
  )
}

const readMilestones = async (
  ctx: Context,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ReleaseMilestone[]>> => {
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
  const stats = await countIssues(ctx, [...milestones.keys()])
  const byRelease = new Map<number, ReleaseMilestone[]>(ids.map((id) => [id, []]))
  for (const { releaseId, milestoneId } of rows) {
    const milestone = milestones.get(milestoneId)
    const issueStats = stats.get(milestoneId) ?? { total: 0, closed: 0 }
    if (milestone) byRelease.get(releaseId)?.push({ ...milestone, issueStats })
  }
  return byRelease
}

/** Adds authors, links and milestones. The number of queries does not depend on the number of releases. */
export async function completeReleases(
  ctx: Context,
  project: Project,
  records: readonly ReleaseRecord[],
): Promise<ReleaseWithoutCommit[]> {
  if (!records.length) return []
  const ids = records.map(({ id }) => id)
  const authors = await userSummaries(
    ctx,
    records.flatMap(({ authorId }) => authorId ?? []),
  )
  const links = await readLinks(ctx, ids)
  const milestones = await readMilestones(ctx, ids)
  const evidence = await readEvidence(ctx, ids)
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
    author: record.authorId === null ? null : (authors.get(record.authorId) ?? null),
    sha: record.sha,
    commit: null,
    milestones: milestones.get(record.id) ?? [],
    links: links.get(record.id) ?? [],
    evidences: evidence.get(record.id) ?? [],
  }))
}

/** Adds the commits. Call it outside transactions. */
export const withCommits = (
  opened: OpenedRepository | undefined,
  releases: readonly ReleaseWithoutCommit[],
): Promise<Release[]> =>
  Promise.all(
    releases.map(async ({ sha, ...release }) => {
      const commit = sha === null ? undefined : await opened?.repository.commit(sha)
      return { ...release, commit: commit === undefined ? null : toCommit(commit, release.projectPath) }
    }),
  )
