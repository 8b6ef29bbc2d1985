import { type DeployKeyProject, features, type KeyRecord } from '@forgelet/core/operations'
import * as v from 'valibot'
import { one } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'
import { UserDetailWire } from '../shapes/user-detail.ts'

const { keys } = features

const ProjectSchema = v.strictObject({
  id: v.number(),
  deploy_key_id: v.number(),
  project_id: v.number(),
  created_at: v.string(),
  updated_at: v.string(),
  can_push: v.boolean(),
})

const toDeployKeyProject = ({ id, deployKeyId, projectId, createdAt, updatedAt, canPush }: DeployKeyProject) => ({
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
  /** Only for deploy keys. */
  deploy_keys_projects: computed(v.optional(v.array(ProjectSchema)), ({ deployKeysProjects }: KeyRecord) =>
    deployKeysProjects?.map(toDeployKeyProject),
  ),
})

export const keyRoutes = [
  route('GET /keys', keys.find, one(KeyWire)),
  route('GET /keys/:id', keys.get, one(KeyWire), { names: { id: 'key' } }),
]
