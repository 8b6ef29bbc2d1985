import * as v from 'valibot'
import type { SectionParent } from './section-parent.ts'
import { projectOf } from './section-parent.ts'
import type { Seeder } from './seeder.ts'

/** The repository from which a project is updated. */
export const PullMirror = v.strictObject({
  /** Address of the repository; it may contain a username and password. */
  url: v.string(),
  /** Whether the project is updated. Default: true. */
  enabled: v.optional(v.boolean(), true),
  /** Whether updates create pipelines. */
  mirrorTriggerBuilds: v.optional(v.boolean()),
  /** Whether only protected branches are updated. */
  onlyMirrorProtectedBranches: v.optional(v.boolean()),
  /** Only branches whose name contains a match are updated, instead of `onlyMirrorProtectedBranches`. */
  mirrorBranchRegex: v.optional(v.string()),
  /** Whether branches and tags are overwritten that the other repository does not have. */
  mirrorOverwritesDivergedBranches: v.optional(v.boolean()),
})

/** Sets the repository from which a project is updated. The host updates it, which is no user. */
export const seedPullMirror = async (
  seeder: Seeder,
  parent: SectionParent,
  mirror: v.InferOutput<typeof PullMirror> | undefined,
): Promise<void> => {
  if (mirror) await seeder.asHost().pullMirrors.update({ project: projectOf(parent), ...mirror })
}
