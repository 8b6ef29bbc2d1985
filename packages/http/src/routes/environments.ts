import {
  type DeployAccessLevel,
  type Environment,
  type EnvironmentDetail,
  features,
  type ProtectedEnvironment,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one, page } from '../reply/responders.ts'
import { list, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { DeploymentWire } from '../shapes/deployment.ts'

const { environments, protectedEnvironments } = features

/** Specification 2, "Environment". */
const EnvironmentWire = wire<Environment>()({
  id: v.number(),
  name: v.string(),
  slug: v.string(),
  external_url: v.nullable(v.string()),
  state: v.string(),
})

const EnvironmentDetailWire = wire<EnvironmentDetail>()({ ...EnvironmentWire.fields, last_deployment: DeploymentWire })

const DeployAccessLevelWire = wire<DeployAccessLevel>()({
  access_level: v.nullable(v.number()),
  access_level_description: v.nullable(v.string()),
  user_id: v.nullable(v.number()),
  group_id: v.nullable(v.number()),
})

/** Specification 2, "Protected environment". */
const ProtectedEnvironmentWire = wire<ProtectedEnvironment>()({
  name: v.string(),
  deploy_access_levels: list(DeployAccessLevelWire),
})

const base = '/projects/:id/environments'
const protectedBase = '/projects/:id/protected_environments'
const environmentOptions = { names: { environment_id: 'environment' } } satisfies RouteOptions

export const environmentRoutes = [
  route(`GET ${base}`, environments.list, page(EnvironmentWire)),
  route(`GET ${base}/:environment_id`, environments.get, one(EnvironmentDetailWire), environmentOptions),
  route(`POST ${base}`, environments.create, one(EnvironmentWire, 201)),
  route(`PUT ${base}/:environment_id`, environments.update, one(EnvironmentWire), environmentOptions),
  route(`DELETE ${base}/:environment_id`, environments.remove, empty(), environmentOptions),
  route(`POST ${base}/:environment_id/stop`, environments.stop, one(EnvironmentWire), {
    ...environmentOptions,
    creates: false,
  }),
  route(`GET ${protectedBase}`, protectedEnvironments.list, page(ProtectedEnvironmentWire)),
  route(`GET ${protectedBase}/:name`, protectedEnvironments.get, one(ProtectedEnvironmentWire)),
  route(`POST ${protectedBase}`, protectedEnvironments.create, one(ProtectedEnvironmentWire)),
  route(`DELETE ${protectedBase}/:name`, protectedEnvironments.remove, empty()),
]
