import { type DeployKeyProject, features, type KeyRecord } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime } from '../reply/field-types.ts'
import { one } from '../reply/responders.ts'
import { list, nullable, optional, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'
import { UserDetailWire } from '../shapes/user-detail.ts'

const { keys } = features

const DeployKeyProjectWire = wire<DeployKeyProject>('DeployKeyProject')({
  id: Integer,
  deploy_key_id: Integer,
  project_id: Integer,
  created_at: DateTime,
  updated_at: DateTime,
  can_push: v.boolean(),
})

/** Specification 2, "SSH key record". */
const KeyWire = wire<KeyRecord>('SshKey')({
  id: Integer,
  title: v.string(),
  key: v.string(),
  created_at: DateTime,
  expires_at: NullableDateTime,
  user: nullable(UserDetailWire),
  /** Only for deploy keys. */
  deploy_keys_projects: optional(list(DeployKeyProjectWire)),
})

export const keyRoutes = [
  route('GET /keys', keys.find, one(KeyWire), { hidden: ['key'], required: ['fingerprint'] }),
  route('GET /keys/:id', keys.find, one(KeyWire), { names: { id: 'key' }, hidden: ['fingerprint'] }),
]
