import * as v from 'valibot'
import { strategyNames } from '../features/delivery/feature-flags/feature-flag.ts'
import { namedIn } from './identity.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const UserList = v.strictObject({ name: v.string(), userXids: v.string(), createdAt: Timestamp })

/** Lists of users for the feature flags of a project. */
export const featureFlagUserListsSection = defineSection(
  'featureFlagUserLists',
  UserList,
  async (seeder: Seeder, { createdAt, ...fields }, parent: SectionParent) => {
    const { featureFlagUserLists } = seeder.asHost(createdAt)
    const { id, iid } = await featureFlagUserLists.create({ project: projectOf(parent), ...fields })
    seeder.record('featureFlagUserLists', `${parent.path} ${fields.name}`, { id, iid })
  },
  namedIn(
    (host) => host.featureFlagUserLists,
    ({ name }) => name,
  ),
)

const FeatureFlag = v.strictObject({
  name: v.string(),
  description: v.optional(v.string()),
  active: v.optional(v.boolean()),
  strategies: v.optional(
    v.array(
      v.strictObject({
        name: v.picklist(strategyNames),
        parameters: v.optional(v.record(v.string(), v.string())),
        /** Name of an earlier user list of the project, for `gitlabUserList`. */
        userList: v.optional(v.string()),
        /** Environments in which the strategy applies; `*` matches any text. Default: all. */
        environments: v.optional(v.array(v.string()), ['*']),
      }),
    ),
    [],
  ),
  createdAt: Timestamp,
})

/** Feature flags of a project. */
export const featureFlagsSection = defineSection(
  'featureFlags',
  FeatureFlag,
  async (seeder: Seeder, { createdAt, strategies, ...fields }, parent: SectionParent) => {
    const project = projectOf(parent)
    const host = seeder.asHost(createdAt)
    const lists = new Map<string, number>()
    for (const { userList: search } of strategies) {
      if (search === undefined) continue
      const { items } = await host.featureFlagUserLists.list({ project, search })
      for (const { name, id } of items) lists.set(name, id)
    }
    const { id } = await host.featureFlags.create({
      project,
      ...fields,
      strategies: strategies.map(({ userList, environments, ...strategy }) => ({
        ...strategy,
        // The operation refuses 0, which no list has.
        ...(userList !== undefined && { userListId: lists.get(userList) ?? 0 }),
        scopes: environments.map((environmentScope) => ({ environmentScope })),
      })),
    })
    seeder.record('featureFlags', `${parent.path} ${fields.name}`, { id })
  },
  namedIn(
    (host) => host.featureFlags,
    ({ name }) => name,
  ),
)

const FeatureFlagsClient = v.strictObject({
  /** A fixed token, for the configuration of tests and clients. */
  secret: v.string(),
})

/** The token with which applications read the feature flags of a project. The last item applies. */
export const featureFlagsClientsSection = defineSection(
  'featureFlagsClients',
  FeatureFlagsClient,
  async (seeder: Seeder, { secret }, parent: SectionParent) => {
    await seeder.asHost().featureFlags.rotateClientToken({ project: projectOf(parent), secret })
  },
)
