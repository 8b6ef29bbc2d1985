import type { Seed } from '../seed.ts'
import { type Exporter, present, readShown } from './exporter.ts'

type SeedProject = NonNullable<Seed['projects']>[number]

/** Feature flags and their user lists, without the token of their clients. */
export const exportFeatureFlags = async (
  { host, omit }: Exporter,
  project: number,
): Promise<Pick<SeedProject, 'featureFlagUserLists' | 'featureFlags'>> => {
  const lists = await readShown(host.featureFlagUserLists.list, { project })
  const flags = await readShown(host.featureFlags.list, { project })
  if (flags.length) omit('tokens of the clients of feature flags')
  return {
    featureFlagUserLists: lists.map(({ name, userXids, createdAt }) => ({ name, userXids, createdAt })),
    featureFlags: flags.map(({ name, description, active, createdAt, strategies }) => ({
      ...{ name, active, createdAt },
      ...present({ description }),
      strategies: strategies.map(({ name, parameters, userList, scopes }) => ({
        ...{ name, parameters },
        ...(userList && { userList: userList.name }),
        environments: scopes.map(({ environmentScope }) => environmentScope),
      })),
    })),
  }
}
