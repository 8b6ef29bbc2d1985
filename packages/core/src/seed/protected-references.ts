import * as v from 'valibot'
import { referenceLevels } from '../features/code/protected-references/protected-reference.ts'
import type { Session } from '../session.ts'
import { granteeEntries, toGrantList } from './grants.ts'
import { namedIn } from './identity.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder } from './seeder.ts'

/** Who may do something: any of the roles, users and groups. */
const Grants = v.strictObject({
  /** Access levels: 0 (no one), 30 (developers), 40 (maintainers), 60 (administrators). */
  levels: v.optional(v.array(v.picklist(referenceLevels)), []),
  ...granteeEntries,
})

const toList = async (host: Session, grants: v.InferOutput<typeof Grants> | undefined) =>
  grants && toGrantList(host, grants)

const ProtectedBranch = v.strictObject({
  /** Name of the branch, or a pattern in which `*` matches any text. */
  name: v.string(),
  /** Who may push. Default: maintainers. */
  push: v.optional(Grants),
  /** Who may merge. Default: maintainers. */
  merge: v.optional(Grants),
  /** Who may end the protection. Default: maintainers. */
  unprotect: v.optional(Grants),
  /** Whether users who may push may also replace commits. */
  allowForcePush: v.optional(v.boolean(), false),
  /** Stored without effect. */
  codeOwnerApprovalRequired: v.optional(v.boolean(), false),
})

/** Protected branches of a project. One of the default branch replaces the rule that its first push created. */
export const protectedBranchesSection = defineSection(
  'protectedBranches',
  ProtectedBranch,
  async (seeder: Seeder, { push, merge, unprotect, ...fields }, parent: SectionParent) => {
    const project = projectOf(parent)
    const host = seeder.asHost()
    const { items } = await host.protectedBranches.list({ project, search: fields.name })
    if (items.some(({ name }) => name === fields.name))
      await host.protectedBranches.remove({ project, name: fields.name })
    const lists = {
      allowedToPush: await toList(host, push),
      allowedToMerge: await toList(host, merge),
      allowedToUnprotect: await toList(host, unprotect),
    }
    await host.protectedBranches.create({ project, ...fields, ...lists })
  },
)

const ProtectedTag = v.strictObject({
  /** Name of the tag, or a pattern in which `*` matches any text. */
  name: v.string(),
  /** Who may create the tag. Default: maintainers. */
  create: v.optional(Grants),
})

/** Protected tags of a project. */
export const protectedTagsSection = defineSection(
  'protectedTags',
  ProtectedTag,
  async (seeder: Seeder, { name, create }, parent: SectionParent) => {
    const host = seeder.asHost()
    const allowedToCreate = await toList(host, create)
    await host.protectedTags.create({ project: projectOf(parent), name, ...(allowedToCreate && { allowedToCreate }) })
  },
  namedIn(
    (host) => host.protectedTags,
    ({ name }) => name,
  ),
)
