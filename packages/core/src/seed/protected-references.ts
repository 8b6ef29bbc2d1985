import * as v from 'valibot'
import { referenceLevels } from '../features/code/protected-references/protected-reference.ts'
import { PlatformError } from '../kernel/errors.ts'
import type { Session } from '../session.ts'
import { granteeEntries, toGrantList } from './grants.ts'
import { namedIn } from './identity.ts'
import { readAll } from './pages.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder } from './seeder.ts'

/** Who may do something: any of the roles, users and groups. */
const Grants = v.strictObject({
  /** Access levels: 0 (no one), 30 (developers), 40 (maintainers), 60 (administrators). */
  levels: v.optional(v.array(v.picklist(referenceLevels)), []),
  ...granteeEntries,
})

/** The same for what clients of git do. */
const PushGrants = v.strictObject({
  ...Grants.entries,
  /** Titles of deploy keys of the project that may push. */
  deployKeys: v.optional(v.array(v.string()), []),
})

const toList = async (host: Session, grants: v.InferOutput<typeof Grants> | undefined) =>
  grants && toGrantList(host, grants)

const toPushList = async (host: Session, project: number, grants: v.InferOutput<typeof PushGrants> | undefined) => {
  if (grants === undefined) return undefined
  const keys = grants.deployKeys.length ? await readAll(host.deployKeys.list, { project }) : []
  const ids = grants.deployKeys.map((title) => {
    const key = keys.find((candidate) => candidate.title === title)
    if (key === undefined) throw new PlatformError('invalid', `The project has no deploy key with the title ${title}`)
    return { deployKeyId: key.id }
  })
  return [...(await toGrantList(host, grants)), ...ids]
}

const ProtectedBranch = v.strictObject({
  /** Name of the branch, or a pattern in which `*` matches any text. */
  name: v.string(),
  /** Who may push. Default: maintainers. */
  push: v.optional(PushGrants),
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
      allowedToPush: await toPushList(host, project, push),
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
  create: v.optional(PushGrants),
})

/** Protected tags of a project. */
export const protectedTagsSection = defineSection(
  'protectedTags',
  ProtectedTag,
  async (seeder: Seeder, { name, create }, parent: SectionParent) => {
    const host = seeder.asHost()
    const project = projectOf(parent)
    const allowedToCreate = await toPushList(host, project, create)
    await host.protectedTags.create({ project, name, ...(allowedToCreate && { allowedToCreate }) })
  },
  namedIn(
    (host) => host.protectedTags,
    ({ name }) => name,
  ),
)
