import * as v from 'valibot'
import { isPlatformError } from '../kernel/errors.ts'
import type { Seeder } from './seeder.ts'
import { type SectionParent, toParentInput } from './shared-sections.ts'

/** What pushes must comply with. Patterns are regular expressions in RE2 syntax. */
export const PushRule = v.strictObject({
  commitMessageRegex: v.optional(v.string()),
  commitMessageNegativeRegex: v.optional(v.string()),
  branchNameRegex: v.optional(v.string()),
  authorEmailRegex: v.optional(v.string()),
  /** Paths that new files must not have. */
  fileNameRegex: v.optional(v.string()),
  /** In MiB; 0 for no limit. */
  maxFileSize: v.optional(v.number()),
  denyDeleteTag: v.optional(v.boolean()),
  memberCheck: v.optional(v.boolean()),
  preventSecrets: v.optional(v.boolean()),
  commitCommitterCheck: v.optional(v.boolean()),
  commitCommitterNameCheck: v.optional(v.boolean()),
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
