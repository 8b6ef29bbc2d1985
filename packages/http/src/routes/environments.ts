import {
  type DeployAccessLevel,
  type DeploymentApprovalRule,
  type EnvironmentDetail,
  features,
  type ProtectedEnvironment,
  type RemovedReviewApps,
  type StoppedEnvironments,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableInteger } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, list, nullable, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import {
  DeploymentApprovalWire,
  DeploymentDetailsWire,
  DeploymentWire,
  DeploymentWithApprovalsWire,
  EnvironmentWire,
} from '../shapes/deployment.ts'
import { mergeRequestPage } from '../shapes/issuable-pages.ts'

const { deployments, environments, protectedEnvironments } = features

/** An environment with its last deployment. */
const EnvironmentDetailWire = wire<EnvironmentDetail>('EnvironmentDetail')({
  ...EnvironmentWire.fields,
  last_deployment: nullable(DeploymentWire),
})

const DeployAccessLevelWire = wire<DeployAccessLevel>('DeployAccessLevel')({
  access_level: NullableInteger,
  access_level_description: v.string(),
  user_id: NullableInteger,
  group_id: NullableInteger,
})

/** Approvals that deployments to a protected environment require. */
const ApprovalRuleWire = wire<DeploymentApprovalRule>('DeploymentApprovalRule')({
  id: Integer,
  ...DeployAccessLevelWire.fields,
  required_approvals: Integer,
})

/** Specification 2, "Protected environment". */
const ProtectedEnvironmentWire = wire<ProtectedEnvironment>('ProtectedEnvironment')({
  name: v.string(),
  deploy_access_levels: list(DeployAccessLevelWire),
  required_approval_count: Integer,
  approval_rules: list(ApprovalRuleWire),
})

const base = '/projects/:id/environments'
const protectedBase = '/projects/:id/protected_environments'
const environmentOptions = { names: { environment_id: 'environment' } } satisfies RouteOptions

const deploymentBase = '/projects/:id/deployments'
/** The git port rejects commits that exceed its limits. */
const deploymentOptions = {
  extension: true,
  errors: [422],
  names: { deployment_id: 'deployment' },
} satisfies RouteOptions

/** Deployments store no kind of reference. */
const dropTag: RouteOptions['rewrite'] = ({ tag: _tag, ...others }) => others

/** The confirmation of a request to stop environments. */
const StoppedEnvironmentsWire = wire<StoppedEnvironments>('StoppedEnvironments')({
  /** Status as text. */
  message: computed(v.string(), () => 'Successfully requested stop for all stale environments'),
})

/** The environments of review apps that a clean-up removes. */
const RemovedReviewAppsWire = wire<RemovedReviewApps>('RemovedReviewApps')({
  scheduled_entries: list(EnvironmentWire),
  /** Always empty: all environments can be removed. */
  unprocessable_entries: computed(list(EnvironmentWire), () => []),
})

const cleanupRoutes = [
  route(`POST ${base}/stop_stale`, environments.stopStale, one(StoppedEnvironmentsWire), {
    extension: true,
    creates: false,
  }),
  route(`DELETE ${base}/review_apps`, environments.removeReviewApps, one(RemovedReviewAppsWire), { extension: true }),
]

const deploymentRoutes = [
  route(`GET ${deploymentBase}`, deployments.list, page(DeploymentDetailsWire), {
    extension: true,
    errors: [422],
  }),
  route(`GET ${deploymentBase}/:deployment_id`, deployments.get, one(DeploymentWithApprovalsWire), deploymentOptions),
  route(`POST ${deploymentBase}`, deployments.create, one(DeploymentWithApprovalsWire), {
    extension: true,
    hidden: ['user', 'job'],
    rewrite: dropTag,
    wireParameters: {
      tag: v.optional(
        v.pipe(v.boolean(), v.description('Whether `ref` is a tag. Accepted for clients, and not stored.')),
      ),
    },
  }),
  route(
    `PUT ${deploymentBase}/:deployment_id`,
    deployments.update,
    one(DeploymentWithApprovalsWire),
    deploymentOptions,
  ),
  route(`POST ${deploymentBase}/:deployment_id/approval`, deployments.setApproval, one(DeploymentApprovalWire), {
    extension: true,
    names: { deployment_id: 'deployment' },
    hidden: ['user'],
  }),
  route(`GET ${deploymentBase}/:deployment_id/merge_requests`, deployments.listMergeRequests, mergeRequestPage, {
    ...deploymentOptions,
    errors: [422],
  }),
  route(`DELETE ${deploymentBase}/:deployment_id`, deployments.remove, empty(), deploymentOptions),
]

export const environmentRoutes = [
  route(`GET ${base}`, environments.list, page(EnvironmentWire)),
  route(`GET ${base}/:environment_id`, environments.get, one(EnvironmentDetailWire), {
    ...environmentOptions,
    errors: [422],
  }),
  route(`POST ${base}`, environments.create, one(EnvironmentWire, 201)),
  route(`PUT ${base}/:environment_id`, environments.update, one(EnvironmentWire), environmentOptions),
  route(`DELETE ${base}/:environment_id`, environments.remove, empty(), environmentOptions),
  route(`POST ${base}/:environment_id/stop`, environments.stop, one(EnvironmentWire), {
    ...environmentOptions,
    creates: false,
  }),
  route(`GET ${protectedBase}`, protectedEnvironments.list, page(ProtectedEnvironmentWire)),
  route(`GET ${protectedBase}/:name`, protectedEnvironments.get, one(ProtectedEnvironmentWire)),
  route(`POST ${protectedBase}`, protectedEnvironments.create, one(ProtectedEnvironmentWire), { errors: [422] }),
  route(`DELETE ${protectedBase}/:name`, protectedEnvironments.remove, empty()),
  ...cleanupRoutes,
  ...deploymentRoutes,
]
