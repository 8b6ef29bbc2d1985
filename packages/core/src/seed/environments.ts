import * as v from 'valibot'
import type { Container } from './container.ts'
import { At, type Planting, section } from './planting.ts'

const Deployment = v.strictObject({
  /** A username. */
  user: v.string(),
  ref: v.optional(v.string(), 'main'),
  /** Commit id. */
  sha: v.string(),
  status: v.optional(v.picklist(['created', 'running', 'success', 'failed', 'canceled'])),
  /** The job that deployed. */
  job: v.optional(v.strictObject({ id: v.number(), name: v.optional(v.string()), stage: v.optional(v.string()) })),
  createdAt: At,
})

const Environment = v.strictObject({
  name: v.string(),
  externalUrl: v.optional(v.string()),
  state: v.optional(v.picklist(['available', 'stopped']), 'available'),
  createdAt: At,
  deployments: v.optional(v.array(Deployment), []),
})

/** Environments of a project, with what was deployed there. */
export const environmentsSection = section(
  'environments',
  Environment,
  async (planting: Planting, { state, createdAt, deployments, ...given }, on: Container) => {
    const { project } = on as { project: number }
    const { id, slug } = await planting.at(createdAt).environments.create({ project, ...given })
    for (const { createdAt: deployedAt, ...deployment } of deployments) {
      await planting.at(deployedAt).deployments.create({ project, environment: id, ...deployment })
    }
    if (state === 'stopped') await planting.at().environments.stop({ project, environment: id })
    planting.note('environments', `${on.path}:${given.name}`, { id, slug })
  },
)

const ProtectedEnvironment = v.strictObject({
  name: v.string(),
  levels: v.optional(v.array(v.picklist([30, 40, 60])), []),
  /** Usernames. */
  users: v.optional(v.array(v.string()), []),
  /** Full paths. */
  groups: v.optional(v.array(v.string()), []),
})

/** Environments of a project that only some may deploy to. */
export const protectedEnvironmentsSection = section(
  'protectedEnvironments',
  ProtectedEnvironment,
  async (planting: Planting, { name, levels, users, groups }, on: Container) => {
    const { project } = on as { project: number }
    const host = planting.at()
    const deployAccessLevels: { accessLevel?: 30 | 40 | 60; userId?: number; groupId?: number }[] = levels.map(
      (accessLevel) => ({ accessLevel }),
    )
    for (const user of users) deployAccessLevels.push({ userId: (await host.users.get({ user })).id })
    for (const group of groups) deployAccessLevels.push({ groupId: (await host.groups.get({ group })).id })
    await host.protectedEnvironments.create({ project, name, deployAccessLevels })
  },
)
