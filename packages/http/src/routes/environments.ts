import {
  type DeployAccessLevel,
  type Environment,
  type EnvironmentDetail,
  features,
  type ProtectedEnvironment,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { empty, one, page } from '../send.ts'
import { DeploymentWire } from '../shapes/deployment.ts'
import { list, wire } from '../wire.ts'

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
const byName = '/projects/:id/protected_environments'
const named = { names: { environment_id: 'environment' } }

export const environmentRoutes = [
  route(`GET ${base}`, environments.list, page(EnvironmentWire)),
  route(`GET ${base}/:environment_id`, environments.get, one(EnvironmentDetailWire), named),
  route(`POST ${base}`, environments.create, one(EnvironmentWire, 201)),
  route(`PUT ${base}/:environment_id`, environments.update, one(EnvironmentWire), named),
  route(`DELETE ${base}/:environment_id`, environments.remove, empty(), named),
  route(`POST ${base}/:environment_id/stop`, environments.stop, one(EnvironmentWire), { ...named, creates: false }),
  route(`GET ${byName}`, protectedEnvironments.list, page(ProtectedEnvironmentWire)),
  route(`GET ${byName}/:name`, protectedEnvironments.get, one(ProtectedEnvironmentWire)),
  route(`POST ${byName}`, protectedEnvironments.create, one(ProtectedEnvironmentWire)),
  route(`DELETE ${byName}/:name`, protectedEnvironments.remove, empty()),
]
