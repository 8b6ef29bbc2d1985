import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { defined } from '../../../shared/defined.ts'
import { completeReleases, findManagedRelease, findRelease } from '../releases/queries.ts'
import type { EvidenceContent, ReleaseEvidence } from '../releases/release.ts'
import { insertEvidence } from './evidence.ts'

const tagInput = {
  /** Tag of the release, 1 to 255 characters. */
  tagName: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
}

/** Records of what a release contained at a time, which later changes of the release do not affect. */
export const releaseEvidences = {
  /**
   * Records the contents of a release.
   *
   * @throws PlatformError `unprocessable` for a release with 100 records
   */
  collect: command({
    on: project,
    can: 'release.manage',
    scopes: ['job_token'],
    input: tagInput,
    async run(ctx, { tagName }, { project }): Promise<ReleaseEvidence> {
      const record = await findManagedRelease(ctx, project, tagName)
      const [release] = await completeReleases(ctx, project, [record])
      return insertEvidence(ctx, project, defined(release))
    },
  }),

  /** Gets the content of a record. */
  get: query({
    on: project,
    can: 'release.read',
    input: {
      ...tagInput,
      /** Id of the record, as in `releases.get`. */
      evidence: Id,
    },
    async run(ctx, { tagName, evidence }, { project }): Promise<EvidenceContent> {
      const release = await findRelease(ctx, project.id, tagName)
      const row = await ctx.db
        .selectFrom('releaseEvidence')
        .where('releaseId', '=', release.id)
        .where('id', '=', evidence)
        .select(['sha', 'data'])
        .executeTakeFirst()
      if (row === undefined) throw notFound('')
      return row
    },
  }),
}
