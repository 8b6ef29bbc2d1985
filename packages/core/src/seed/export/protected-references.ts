import type { ReferenceGrant } from '../../features/protected-references/protected-reference.ts'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, present } from './exporter.ts'

type SeedProject = NonNullable<Seed['projects']>[number]
type Grants = NonNullable<NonNullable<SeedProject['protectedTags']>[number]['create']>

const toGrants = async ({ host }: Exporter, list: readonly ReferenceGrant[]): Promise<Grants> => {
  const [levels, users, groups]: [NonNullable<Grants['levels']>, string[], string[]] = [[], [], []]
  for (const { accessLevel, userId, groupId } of list) {
    if (userId !== null) users.push((await host.users.get({ user: userId })).username)
    else if (groupId !== null) groups.push((await host.groups.get({ group: groupId })).fullPath)
    else if (accessLevel !== null) levels.push(accessLevel)
  }
  return present({ levels, users, groups }) as Grants
}

/** Rules of branches and tags. */
export const exportProtectedReferences = async (
  exporter: Exporter,
  project: number,
): Promise<Pick<SeedProject, 'protectedBranches' | 'protectedTags'>> => {
  const { host } = exporter
  const protectedBranches = []
  for (const rule of await readAll((paging) => host.protectedBranches.list({ project, ...paging }))) {
    const { name, allowForcePush, codeOwnerApprovalRequired, unprotectAccessLevels } = rule
    protectedBranches.push({
      name,
      push: await toGrants(exporter, rule.pushAccessLevels),
      merge: await toGrants(exporter, rule.mergeAccessLevels),
      ...(unprotectAccessLevels.length && { unprotect: await toGrants(exporter, unprotectAccessLevels) }),
      ...present({ allowForcePush, codeOwnerApprovalRequired }),
    })
  }
  const protectedTags = []
  for (const { name, createAccessLevels } of await readAll((paging) => host.protectedTags.list({ project, ...paging })))
    protectedTags.push({ name, create: await toGrants(exporter, createAccessLevels) })
  return present({ protectedBranches, protectedTags }) as Pick<SeedProject, 'protectedBranches' | 'protectedTags'>
}
