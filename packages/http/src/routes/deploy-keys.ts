import { type DeployKey, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'
import { PublicKeyWire } from '../shapes/key.ts'

const { deployKeys } = features

/** A deploy key with its access to one project. */
const DeployKeyWire = wire<DeployKey>('DeployKey')({
  ...PublicKeyWire.fields,
  can_push: computed(v.boolean(), ({ canPush }: DeployKey) => canPush === true),
})

const extension = { extension: true } as const
const path = '/projects/:id/deploy_keys'
const keyOptions = { ...extension, names: { key_id: 'deployKey' } }

export const deployKeyRoutes = [
  route('GET /deploy_keys', deployKeys.list, page(PublicKeyWire), { ...extension, hidden: ['project'] }),
  route(`GET ${path}`, deployKeys.list, page(DeployKeyWire), extension),
  route(`POST ${path}`, deployKeys.create, one(DeployKeyWire), extension),
  route(`GET ${path}/:key_id`, deployKeys.get, one(DeployKeyWire), keyOptions),
  route(`PUT ${path}/:key_id`, deployKeys.update, one(DeployKeyWire), keyOptions),
  route(`DELETE ${path}/:key_id`, deployKeys.remove, empty(), keyOptions),
]
