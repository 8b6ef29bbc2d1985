import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, present } from './exporter.ts'
import { exportGrants } from './grants.ts'

type SeedProject = NonNullable<Seed['projects']>[number]
/** Rules of branches and tags. */
export const exportProtectedReferences = async (
  exporter: Exporter,
  project: number,
): Promise<Pick<SeedProject, 'protectedBranches' | 'protectedTags'>> => {
  const { host } = exporter
  const protectedBranches = []
  for (const rule of await readAll(host.protectedBranches.list, { project })) {
    const { name, allowForcePush, codeOwnerApprovalRequired, unprotectAccessLevels } = rule
    protectedBranches.push({
      name,
      push: await exportGrants(exporter, rule.pushAccessLevels),
      merge: await exportGrants(exporter, rule.mergeAccessLevels),
      ...(unprotectAccessLevels.length && { unprotect: await exportGrants(exporter, unprotectAccessLevels) }),
      ...present({ allowForcePush, codeOwnerApprovalRequired }),
    })
  }
  const protectedTags = []
  for (const { name, createAccessLevels } of await readAll(host.protectedTags.list, { project }))
    protectedTags.push({ name, create: await exportGrants(exporter, createAccessLevels) })
  return present({ protectedBranches, protectedTags })
}
