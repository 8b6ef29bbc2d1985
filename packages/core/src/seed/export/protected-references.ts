import type { ReferenceGrant } from '../../features/code/protected-references/protected-reference.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, present, readShown } from './exporter.ts'
import { exportGrants } from './grants.ts'

type SeedProject = NonNullable<Seed['projects']>[number]
/** The approvals that merge requests of a project require. */
export const exportApprovalRules = async (
  { host }: Exporter,
  project: number,
): Promise<SeedProject['approvalRules']> => {
  const rules = await readShown(host.approvalRules.list, { project })
  return rules.map(({ name, approvalsRequired, users, groups, protectedBranches, appliesToAllProtectedBranches }) => ({
    name,
    approvalsRequired,
    ...present({
      users: users.map(({ username }) => username),
      groups: groups.map(({ fullPath }) => fullPath),
      protectedBranches: appliesToAllProtectedBranches ? [] : protectedBranches?.map(({ name }) => name),
      appliesToAllProtectedBranches,
    }),
  }))
}

/** A grant to a deploy key has its title. */
const exportPushGrants = async (exporter: Exporter, grants: readonly ReferenceGrant[]) => {
  const isForKey = ({ deployKeyId }: ReferenceGrant) => deployKeyId !== null
  const others = await exportGrants(
    exporter,
    grants.filter((grant) => !isForKey(grant)),
  )
  const deployKeys = grants.filter(isForKey).map(({ accessLevelDescription }) => accessLevelDescription)
  return { ...others, ...present({ deployKeys }) }
}

/** Rules of branches and tags. */
export const exportProtectedReferences = async (
  exporter: Exporter,
  project: number,
): Promise<Pick<SeedProject, 'protectedBranches' | 'protectedTags'>> => {
  const { host } = exporter
  const protectedBranches = []
  for (const rule of await readShown(host.protectedBranches.list, { project })) {
    const { name, allowForcePush, codeOwnerApprovalRequired, unprotectAccessLevels } = rule
    protectedBranches.push({
      name,
      push: await exportPushGrants(exporter, rule.pushAccessLevels),
      merge: await exportGrants(exporter, rule.mergeAccessLevels),
      ...(unprotectAccessLevels.length && { unprotect: await exportGrants(exporter, unprotectAccessLevels) }),
      ...present({ allowForcePush, codeOwnerApprovalRequired }),
    })
  }
  const protectedTags = []
  for (const { name, createAccessLevels } of await readShown(host.protectedTags.list, { project }))
    protectedTags.push({ name, create: await exportPushGrants(exporter, createAccessLevels) })
  return present({ protectedBranches, protectedTags })
}
