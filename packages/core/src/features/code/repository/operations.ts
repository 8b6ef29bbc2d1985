import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { query } from '../../../kernel/operation.ts'
import { findOwnedPatterns, type OwnedPattern } from '../code-owners/code-owners-file.ts'
import { readCodeOwners } from '../code-owners/read.ts'
import { statisticsOperations } from './fetch-statistics.ts'
import { maintenanceOperations } from './maintenance-operations.ts'
import { openRepository, readCommit, resolveRevision } from './opened-repository.ts'
import { readOperations } from './read-operations.ts'
import type { RepositoryLocation } from './repository.ts'
import { writeOperations } from './write-operations.ts'

/** Names of branches and tags have fewer segments; each further one is another lookup in git. */
const maxRefSegments = 20

const locationOperations = {
  /**
   * Separates a branch, tag or commit SHA from the path that follows it in a URL, and reads the commit. Both can contain slashes;
   * the default branch counts first, then the shortest name that exists. Fails with `not_found` if none exists.
   */
  locate: query({
    on: project,
    can: 'code.read',
    input: {
      /** A branch, tag or commit SHA and a path, separated by `/`: `main/src/index.ts`. */
      location: v.pipe(v.string(), v.maxLength(9_216)),
    },
    async run(ctx, { location }, subject) {
      const opened = await openRepository(ctx, subject)
      const segments = location.split('/')
      return afterTransaction(async (): Promise<RepositoryLocation> => {
        const counts = Array.from({ length: Math.min(segments.length, maxRefSegments) }, (_, index) => index + 1)
        const isDefault = (count: number) => segments.slice(0, count).join('/') === opened?.defaultBranch
        for (const count of [...counts.filter(isDefault), ...counts]) {
          const ref = segments.slice(0, count).join('/')
          const id = ref === '' ? undefined : await resolveRevision(opened, ref)
          if (opened !== undefined && id !== undefined) {
            return { ref, path: segments.slice(count).join('/'), commit: await readCommit(opened, id) }
          }
        }
        throw notFound('Commit')
      })
    },
  }),

  /** Lists the entries of the file of code owners that own a file or a directory, at most one of each section. Empty on the free tier. */
  listCodeOwners: query({
    on: project,
    can: 'code.read',
    input: {
      /** A branch, tag or commit SHA. */
      ref: v.pipe(v.string(), v.maxLength(1_024)),
      /** Path of a file, or of a directory with a slash at the end: `docs/`. */
      path: v.pipe(v.string(), v.maxLength(8_192)),
    },
    async run(ctx, { ref, path }, subject) {
      const opened = ctx.tier === 'free' ? undefined : await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<readonly OwnedPattern[]> => {
        const commit = await resolveRevision(opened, ref)
        if (opened === undefined || commit === undefined) return []
        return findOwnedPatterns(await readCodeOwners(opened, commit), [path])
      })
    },
  }),
}

/** The repository of a project: specification 2, "Repository". */
export const repository = {
  ...readOperations,
  ...locationOperations,
  ...writeOperations,
  ...maintenanceOperations,
  ...statisticsOperations,
}
