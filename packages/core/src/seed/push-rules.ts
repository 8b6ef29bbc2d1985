import * as v from 'valibot'
import { isPlatformError } from '../kernel/errors.ts'
import { type SectionParent, toParentInput } from './section-parent.ts'
import type { Seeder } from './seeder.ts'

/** What pushes must comply with. Patterns are regular expressions in RE2 syntax. */
export const PushRule = v.strictObject({
  /** Pattern that commit messages must match. */
  commitMessageRegex: v.optional(v.string()),
  /** Pattern that commit messages must not match. */
  commitMessageNegativeRegex: v.optional(v.string()),
  /** Pattern that the names of branches other than the default branch must match. */
  branchNameRegex: v.optional(v.string()),
  /** Pattern that the addresses of authors and committers must match. */
  authorEmailRegex: v.optional(v.string()),
  /** Pattern that the paths of new files must not match. */
  fileNameRegex: v.optional(v.string()),
  /** Largest size of a new or changed file in MiB; 0 for no limit. */
  maxFileSize: v.optional(v.number()),
  /** Whether tags cannot be deleted. */
  denyDeleteTag: v.optional(v.boolean()),
  /** Whether authors and committers must have the address of a user. */
  memberCheck: v.optional(v.boolean()),
  /** Whether files are rejected that usually contain secrets, such as private keys. */
  preventSecrets: v.optional(v.boolean()),
  /** Whether committers must have an address of the user who pushes. */
  commitCommitterCheck: v.optional(v.boolean()),
  /** Whether authors must have the name of the user who pushes. */
  commitCommitterNameCheck: v.optional(v.boolean()),
  /** Whether commit messages must contain a line `Signed-off-by: Name <address>`. */
  rejectNonDcoCommits: v.optional(v.boolean()),
})

/** Replaces the push rule of a project or a group; null removes the one that a new project has from its group. */
export async function seedPushRule(
  seeder: Seeder,
  parent: SectionParent,
  rule: v.InferOutput<typeof PushRule> | null | undefined,
): Promise<void> {
  if (rule === undefined) return
  const { pushRules } = seeder.asHost()
  const at = toParentInput(parent)
  try {
    await pushRules.remove(at)
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'not_found') throw error
  }
  if (rule) await pushRules.create({ ...at, ...rule })
}
