import type { Project } from '../../../../contract/project.ts'
import type { FeatureFlag } from '../../../delivery/feature-flags/feature-flag.ts'
import type { HookPayload } from '../delivery.ts'
import { buildProject, buildUser, findActor, type PayloadContext } from './common.ts'

/** A feature flag that was turned on or off. */
export const buildFeatureFlagEvent = async (
  payload: PayloadContext,
  project: Project,
  { id, name, description, active }: Pick<FeatureFlag, 'id' | 'name' | 'description' | 'active'>,
): Promise<HookPayload> => {
  const user = await findActor(payload, null)
  return {
    object_kind: 'feature_flag',
    project: await buildProject(payload, project),
    user: user && buildUser(payload.site)(user),
    user_url: user && `${payload.site}/${user.username}`,
    object_attributes: { id, name, description, active },
  }
}
