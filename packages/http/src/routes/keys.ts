import { type DeployKeyProject, features, type KeyRecord } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { one } from '../send.ts'
import { UserDetailWire } from '../shapes/user-detail.ts'
import { computed, wire } from '../wire.ts'

const { keys } = features

const Project = v.strictObject({
  id: v.number(),
  deploy_key_id: v.number(),
  project_id: v.number(),
  created_at: v.string(),
  updated_at: v.string(),
  can_push: v.boolean(),
})

const projectOf = ({ id, deployKeyId, projectId, createdAt, updatedAt, canPush }: DeployKeyProject) => ({
  id,
  deploy_key_id: deployKeyId,
  project_id: projectId,
  created_at: createdAt,
  updated_at: updatedAt,
  can_push: canPush,
})

/** Specification 2, "SSH key record". */
const KeyWire = wire<KeyRecord>()({
  id: v.number(),
  title: v.string(),
  key: v.string(),
  created_at: v.string(),
  expires_at: v.nullable(v.string()),
  user: UserDetailWire,
  /** Of a deploy key only. */
  deploy_keys_projects: computed(v.optional(v.array(Project)), ({ deployKeysProjects }: KeyRecord) =>
    deployKeysProjects?.map(projectOf),
  ),
})

export const keyRoutes = [
  route('GET /keys', keys.find, one(KeyWire)),
  route('GET /keys/:id', keys.get, one(KeyWire), { names: { id: 'key' } }),
]
