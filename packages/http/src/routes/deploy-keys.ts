import { type DeployKey, type DeployKeyProjectIdentity, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, list, optional, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { PublicKeyWire } from '../shapes/key.ts'

const { deployKeys } = features

/** A project that a deploy key can access. */
const KeyProjectWire = wire<DeployKeyProjectIdentity>('DeployKeyProjectIdentity')({
  id: Integer,
  description: NullableText,
  name: v.string(),
  name_with_namespace: v.string(),
  path: v.string(),
  /** Full path: `acme/web`. */
  path_with_namespace: computed(v.string(), ({ fullPath }: DeployKeyProjectIdentity) => fullPath),
  created_at: DateTime,
})

const keyFields = { ...PublicKeyWire.fields, fingerprint: v.string(), fingerprint_sha256: v.string() }

/** A deploy key with its access to one project. */
const DeployKeyWire = wire<DeployKey>('DeployKey')({
  ...keyFields,
  can_push: computed(v.boolean(), ({ canPush }: DeployKey) => canPush === true),
})

/** A deploy key of the instance, for administrators with all its projects. */
const InstanceDeployKeyWire = wire<DeployKey>('InstanceDeployKey')({
  ...keyFields,
  projects_with_write_access: optional(list(KeyProjectWire)),
  projects_with_readonly_access: optional(list(KeyProjectWire)),
})

const extension = { extension: true } satisfies RouteOptions
const path = '/projects/:id/deploy_keys'
const keyOptions = { ...extension, names: { key_id: 'deployKey' } } satisfies RouteOptions

export const deployKeyRoutes = [
  route('GET /deploy_keys', deployKeys.list, page(InstanceDeployKeyWire), {
    ...extension,
    hidden: ['project', 'user'],
  }),
  route('POST /deploy_keys', deployKeys.create, one(InstanceDeployKeyWire), {
    ...extension,
    hidden: ['project', 'canPush'],
    required: ['title'],
  }),
  route('GET /users/:id/project_deploy_keys', deployKeys.list, page(InstanceDeployKeyWire), {
    ...extension,
    names: { id: 'user' },
    hidden: ['project', 'public'],
  }),
  route(`GET ${path}`, deployKeys.list, page(DeployKeyWire), { ...extension, hidden: ['user', 'public'] }),
  route(`POST ${path}`, deployKeys.create, one(DeployKeyWire), extension),
  route(`GET ${path}/:key_id`, deployKeys.get, one(DeployKeyWire), keyOptions),
  route(`PUT ${path}/:key_id`, deployKeys.update, one(DeployKeyWire), keyOptions),
  route(`DELETE ${path}/:key_id`, deployKeys.remove, empty(), keyOptions),
  route(`POST ${path}/:key_id/enable`, deployKeys.enable, one(DeployKeyWire), keyOptions),
]
