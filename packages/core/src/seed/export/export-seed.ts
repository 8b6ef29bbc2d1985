import {
  defaultSettings,
  isSecretSetting,
  settingInputs,
  settingNames,
} from '../../features/administration/settings/definition.ts'
import { assertOptions } from '../../kernel/assert-arguments.ts'
import type { Platform } from '../../platform-interface.ts'
import { readAll } from '../pages.ts'
import { parseSeed, type Seed } from '../seed.ts'
import { type Exporter, type ExportOptions, present, unless } from './exporter.ts'
import { changedSettings, exportGroups } from './groups.ts'
import { exportProjects, exportSnippets, readContributions } from './projects.ts'
import { exportUsers } from './users.ts'

/** The application settings that differ from their defaults, without secrets. */
async function exportSettings({ host }: Exporter): Promise<Seed['settings']> {
  const values = (await host.settings.get()) as unknown as Readonly<Record<string, unknown>>
  const changed = changedSettings(values, defaultSettings()) ?? {}
  const exported: Record<string, unknown> = {}
  for (const name of settingNames) {
    const isSettable = Object.hasOwn(settingInputs, name) && !isSecretSetting(name)
    if (!isSettable || !Object.hasOwn(changed, name)) continue
    exported[name] = changed[name]
  }
  return Object.keys(exported).length ? exported : undefined
}

/** The data of a platform as a seed. */
export interface ExportedSeed {
  readonly seed: Seed
  /** What the data has and the seed does not contain: `personal access tokens, of which only hashes are stored`. */
  readonly omitted: readonly string[]
}

/** Without their secrets: seeding creates new ones. */
const exportApplications = async ({ host }: Exporter): Promise<NonNullable<Seed['applications']>> => {
  const applications = await readAll(host.applications.list, {})
  return applications.map(({ id: _, redirectUris, scopes, ...application }) => ({
    ...application,
    redirectUri: redirectUris.join('\n'),
    scopes: scopes.join(' '),
  }))
}

const exportReplicaNodes = async ({ host }: Exporter): Promise<NonNullable<Seed['replicaNodes']>> => {
  const nodes = await unless(['not_licensed'], readAll(host.replicaNodes.list, {}))
  return (nodes ?? []).map((node) => ({
    name: node.name,
    url: node.url,
    internalUrl: node.internalUrl,
    primary: node.primary,
    enabled: node.enabled,
    filesMaxCapacity: node.filesMaxCapacity,
    reposMaxCapacity: node.reposMaxCapacity,
    verificationMaxCapacity: node.verificationMaxCapacity,
    containerRepositoriesMaxCapacity: node.containerRepositoriesMaxCapacity,
    syncObjectStorage: node.syncObjectStorage,
    minimumReverificationInterval: node.minimumReverificationInterval,
  }))
}

/**
 * Exports the data of a platform: adding the seed to an empty platform creates equal users, groups and projects with equal
 * content, under new ids. Reads through operations with the system identity; changes by other processes in the meantime may be
 * included partly.
 */
export async function exportSeed(platform: Platform, options: ExportOptions = {}): Promise<ExportedSeed> {
  assertOptions('exportSeed', options, ['readRepository'])
  const omitted = new Set<string>()
  const exporter: Exporter = {
    ...options,
    host: platform.as({ system: 'export' }),
    epicTitles: new Map(),
    asUser: (user) => platform.as({ user }),
    omit: (text) => void omitted.add(text),
  }
  const settings = await exportSettings(exporter)
  const users = await exportUsers(exporter)
  const groups = await exportGroups(exporter)
  const contributions = await readContributions(exporter, { users })
  const projects = await exportProjects(exporter, contributions)
  const snippets = await exportSnippets(exporter, contributions, null)
  const replicaNodes = await exportReplicaNodes(exporter)
  const applications = await exportApplications(exporter)
  if ((await exporter.host.runners.list({ perPage: 1 })).items.length)
    exporter.omit('runners, because only digests of their tokens are stored')
  const seed = {
    ...(settings && { settings }),
    ...present({ users, groups, projects, snippets, replicaNodes, applications }),
  }
  parseSeed(seed)
  return { seed, omitted: [...omitted] }
}
