import { isDeepStrictEqual } from 'node:util'
import { resolveGroupSettings } from '../../features/accounts/namespaces/settings.ts'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { exportContainerContent, exportPushRule } from './container-content.ts'
import { exportSharedSections } from './containers.ts'
import { type Exporter, exportAvatarUrl, omitVariables, present, unless } from './exporter.ts'
import { exportEpics } from './issuables.ts'

type SeedGroup = NonNullable<Seed['groups']>[number]

/** The values that differ from the defaults. */
export const changedSettings = (values: object, defaults: object): Record<string, unknown> | undefined => {
  const changed = Object.entries(defaults).flatMap(([name, fallback]) => {
    const value = (values as Record<string, unknown>)[name]
    return value === undefined || isDeepStrictEqual(value, fallback) ? [] : [[name, value] as const]
  })
  return changed.length ? Object.fromEntries(changed) : undefined
}

/** Groups after their parents and after the groups that they are shared with. */
const inSeedOrder = async ({ host }: Exporter) => {
  const groups = await readAll(host.groups.list, { orderBy: 'id', allAvailable: true })
  const byPath = new Map(groups.map((group) => [group.fullPath, group]))
  const ordered = new Map<string, (typeof groups)[number]>()
  const visiting = new Set<string>()
  const visit = async (fullPath: string): Promise<void> => {
    const group = byPath.get(fullPath)
    if (!group || visiting.has(fullPath)) return
    visiting.add(fullPath)
    const lastSlash = fullPath.lastIndexOf('/')
    if (lastSlash > 0) await visit(fullPath.slice(0, lastSlash))
    const { sharedWithGroups = [] } = await host.groups.get({ group: group.id })
    for (const { groupFullPath } of sharedWithGroups) await visit(groupFullPath)
    ordered.set(fullPath, group)
  }
  for (const { fullPath } of groups) await visit(fullPath)
  return [...ordered.values()]
}

/** Whether an item is directly in an archived group, with which a seed archives it, too. */
export const findArchivedGroups = async ({ host }: Exporter): Promise<(path: string) => boolean> => {
  const groups = await readAll(host.groups.list, { archived: true, allAvailable: true })
  const paths = new Set(groups.map(({ fullPath }) => fullPath))
  return (path) => paths.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))))
}

const exportSso = async ({ host, omit }: Exporter, group: number): Promise<SeedGroup['sso']> => {
  const provider = await unless(['not_found'], host.sso.get({ group }))
  if (!provider) return undefined
  omit('SCIM tokens, of which only hashes are stored')
  const members = await readAll(host.members.list, { group })
  if (members.some(({ groupSamlIdentity }) => groupSamlIdentity)) omit('identities of single sign-on')
  return { provider: provider.name, ...(!provider.enabled && { enabled: false }) }
}

/** All groups with their content. */
export async function exportGroups(exporter: Exporter): Promise<SeedGroup[]> {
  const { host } = exporter
  const { defaultBranchProtection } = await host.settings.get()
  const defaults = resolveGroupSettings(null, { defaultBranchProtection } as never)
  const exported: SeedGroup[] = []
  const isInArchivedGroup = await findArchivedGroups(exporter)
  for (const group of await inSeedOrder(exporter)) {
    const { id, fullPath: path } = group
    await omitVariables(exporter, { group: id })
    const parent = { group: id, path, isNew: false }
    const earlier = new Set(exported.map((other) => other.path))
    const protection = resolveGroupSettings(null, group).defaultBranchProtectionDefaults
    const groupDefaults = { ...defaults, defaultBranchProtectionDefaults: protection }
    const { fileTemplateProjectId, ...settings } = changedSettings(group, groupDefaults) ?? {}
    if (group.markedForDeletionOn !== null) exporter.omit('marks for deletion')
    if (fileTemplateProjectId !== undefined) exporter.omit('the setting fileTemplateProjectId of groups')
    exported.push({
      path,
      name: group.name,
      visibility: group.visibility,
      projectCreationLevel: group.projectCreationLevel,
      subgroupCreationLevel: group.subgroupCreationLevel,
      createdAt: group.createdAt,
      requestAccessEnabled: group.requestAccessEnabled,
      ...present({
        description: group.description,
        avatarUrl: exportAvatarUrl(exporter, group.avatarUrl),
        shareWithGroupLock: group.shareWithGroupLock,
        archived: group.archived && !isInArchivedGroup(path),
        settings: Object.keys(settings).length ? settings : undefined,
        sso: await exportSso(exporter, id),
      }),
      ...(await exportSharedSections(exporter, parent, undefined, (other) => earlier.has(other))),
      ...(await exportPushRule(exporter, parent)),
      ...(await exportContainerContent(exporter, parent)),
      ...present({ epics: await exportEpics(exporter, id, path) }),
    })
  }
  return exported
}
