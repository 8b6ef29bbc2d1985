import * as v from 'valibot'
import { environmentTiers } from '../features/code/pipeline-records/job-environment.ts'
import type { DeploymentJobInput } from '../features/delivery/deployments/operations.ts'
import { autoStopSettings } from '../features/delivery/environments/environment.ts'
import { granteeEntries, toGrantList } from './grants.ts'
import { namedIn } from './identity.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { forEachItem } from './seed-path.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const jobFields = [
  ...(['status', 'stage', 'name', 'ref', 'tag', 'coverage', 'createdAt', 'startedAt', 'finishedAt'] as const),
  ...(['duration', 'user', 'commit', 'pipeline', 'webUrl', 'artifacts', 'runner', 'artifactsExpireAt'] as const),
] satisfies readonly (keyof DeploymentJobInput)[]

/** The operation validates the values. */
const Job = v.strictObject({
  id: v.number(),
  ...Object.fromEntries(jobFields.map((name) => [name, v.optional(v.unknown())])),
}) as v.GenericSchema<unknown> as v.GenericSchema<DeploymentJobInput>

const Deployment = v.strictObject({
  /** A username. */
  user: v.string(),
  ref: v.optional(v.string(), 'main'),
  /** Commit id. */
  sha: v.string(),
  status: v.optional(v.picklist(['created', 'running', 'success', 'failed', 'canceled'])),
  /** The CI job of the deployment. */
  job: v.optional(Job),
  createdAt: Timestamp,
})

const Environment = v.strictObject({
  name: v.string(),
  /** URL of the deployed application, http or https. */
  externalUrl: v.optional(v.string()),
  /** Default: follows from the name. */
  tier: v.optional(v.picklist(environmentTiers)),
  description: v.optional(v.string()),
  /** Default: `with_action` for the tiers `production` and `staging`, otherwise `always`. */
  autoStopSetting: v.optional(v.picklist(autoStopSettings)),
  /** A stopped environment is stopped after its deployments. */
  state: v.optional(v.picklist(['available', 'stopped']), 'available'),
  createdAt: Timestamp,
  /** Deployments in chronological order. */
  deployments: v.optional(v.array(Deployment), []),
})

/** Environments of a project with their deployments. */
export const environmentsSection = defineSection(
  'environments',
  Environment,
  async (seeder: Seeder, { state, createdAt, deployments, ...fields }, parent: SectionParent) => {
    const project = projectOf(parent)
    const { environments } = seeder.asHost(createdAt)
    // A job of a pipeline may have created the environment.
    const [existing] = (await environments.list({ project, name: fields.name })).items
    const { id, slug } = existing
      ? await environments.update({ project, environment: existing.id, ...fields })
      : await environments.create({ project, ...fields })
    await forEachItem('deployments', deployments, ({ createdAt: deployedAt, ...deployment }) =>
      seeder.asHost(deployedAt).deployments.create({ project, environment: id, ...deployment }),
    )
    if (state === 'stopped') await seeder.asHost().environments.stop({ project, environment: id, force: true })
    seeder.record('environments', `${parent.path}:${fields.name}`, { id, slug })
  },
  namedIn(
    (host) => host.environments,
    ({ name }) => name,
  ),
)

const ProtectedEnvironment = v.strictObject({
  name: v.string(),
  /** Access levels that can deploy: 30 (developers), 40 (maintainers), 60 (administrators). */
  levels: v.optional(v.array(v.picklist([30, 40, 60])), []),
  ...granteeEntries,
  requiredApprovalCount: v.optional(v.number()),
  /** Approval rules: who must approve, in the form of the grants, and how many of them. */
  approvalRules: v.optional(
    v.array(
      v.strictObject({
        /** Access levels that can approve: 30 (developers), 40 (maintainers), 60 (administrators). */
        levels: v.optional(v.array(v.picklist([30, 40, 60])), []),
        ...granteeEntries,
        requiredApprovals: v.optional(v.number()),
      }),
    ),
    [],
  ),
})

/** Protected environments of a project. */
export const protectedEnvironmentsSection = defineSection(
  'protectedEnvironments',
  ProtectedEnvironment,
  async (seeder: Seeder, { name, requiredApprovalCount, approvalRules: seeds, ...grants }, parent: SectionParent) => {
    const project = projectOf(parent)
    const host = seeder.asHost()
    const deployAccessLevels = await toGrantList(host, grants)
    const approvalRules = []
    for (const { requiredApprovals, ...approvers } of seeds)
      for (const grant of await toGrantList(host, approvers)) approvalRules.push({ ...grant, requiredApprovals })
    const fields = { deployAccessLevels, requiredApprovalCount, approvalRules }
    await host.protectedEnvironments.create({ project, name, ...fields })
  },
  namedIn(
    (host) => host.protectedEnvironments,
    ({ name }) => name,
  ),
)
