import * as v from 'valibot'
import { granteeEntries } from './grants.ts'
import { namedIn } from './identity.ts'
import { readAll } from './pages.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder } from './seeder.ts'

const ApprovalRule = v.strictObject({
  /** Unique in the project. */
  name: v.string(),
  /** Number of approvals, 0 to 100. */
  approvalsRequired: v.number(),
  ...granteeEntries,
  /** Names of protected branches that the rule is for. Default: all branches. */
  protectedBranches: v.optional(v.array(v.string()), []),
  /** Whether the rule is for merge requests into protected branches only. */
  appliesToAllProtectedBranches: v.optional(v.boolean()),
})

/** The approvals that merge requests of a project require. */
export const approvalRulesSection = defineSection(
  'approvalRules',
  ApprovalRule,
  async (seeder: Seeder, { users: usernames, groups, protectedBranches, ...fields }, parent: SectionParent) => {
    const host = seeder.asHost()
    const project = projectOf(parent)
    const groupIds: number[] = []
    for (const group of groups) groupIds.push((await host.groups.get({ group, withProjects: false })).id)
    const branches = protectedBranches.length ? await readAll(host.protectedBranches.list, { project }) : []
    const protectedBranchIds = branches.filter(({ name }) => protectedBranches.includes(name)).map(({ id }) => id)
    await host.approvalRules.create({ project, ...fields, usernames, groupIds, protectedBranchIds })
  },
  namedIn(
    ({ approvalRules }) => ({ list: ({ project = 0, ...paging }) => approvalRules.list({ project, ...paging }) }),
    ({ name }) => name,
  ),
)
