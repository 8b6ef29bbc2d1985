import { createHash } from 'node:crypto'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import type { ReleaseEvidence, ReleaseWithoutCommit } from '../releases/release.ts'

/** Records of one release. */
const maxEvidence = 100

/** What a record contains, in the field names of GitLab. */
const describeRelease = (project: Project, release: ReleaseWithoutCommit) => ({
  release: {
    id: release.id,
    tag_name: release.tagName,
    name: release.name,
    description: release.description,
    created_at: release.createdAt,
    released_at: release.releasedAt,
    sha: release.sha,
    project: {
      id: project.id,
      name: project.name,
      description: project.description,
      created_at: project.createdAt,
    },
    milestones: release.milestones.map(({ id, iid, title, description, state, createdAt, dueDate }) => ({
      id,
      iid,
      title,
      description,
      state,
      created_at: createdAt,
      due_date: dueDate,
    })),
    links: release.links.map(({ id, name, url, linkType }) => ({ id, name, url, link_type: linkType })),
    report_artifacts: [],
  },
})

/**
 * Stores the contents of a release at this time, with their digest.
 *
 * @throws PlatformError `unprocessable` for a release with 100 records
 */
export async function insertEvidence(
  ctx: Context,
  project: Project,
  release: ReleaseWithoutCommit,
): Promise<ReleaseEvidence> {
  if (release.evidences.length >= maxEvidence)
    throw new PlatformError('unprocessable', `A release can have at most ${maxEvidence} evidence records`)
  const data = JSON.stringify(describeRelease(project, release))
  const row = { sha: createHash('sha256').update(data).digest('hex'), collectedAt: ctx.now }
  const inserted = await ctx.db
    .insertInto('releaseEvidence')
    .values({ releaseId: release.id, data, ...row } satisfies CompleteRow<'releaseEvidence'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: inserted.id, ...row }
}

/** The records of releases, oldest first. */
export async function readEvidence(
  { db }: Context,
  releaseIds: readonly number[],
): Promise<ReadonlyMap<number, ReleaseEvidence[]>> {
  const rows = await db
    .selectFrom('releaseEvidence')
    .where('releaseId', 'in', releaseIds)
    .orderBy('releaseId')
    .orderBy('id')
    .select(['id', 'releaseId', 'sha', 'collectedAt'])
    .execute()
  const byRelease = new Map<number, ReleaseEvidence[]>(releaseIds.map((id) => [id, []]))
  for (const { releaseId, ...evidence } of rows) byRelease.get(releaseId)?.push(evidence)
  return byRelease
}
