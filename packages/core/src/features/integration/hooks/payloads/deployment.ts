import type { Project } from '../../../../contract/project.ts'
import type { DeploymentDetails } from '../../../delivery/deployments/deployment-details.ts'
import type { HookPayload } from '../delivery.ts'
import { buildProject, buildUser, type PayloadContext, toProjectUrl } from './common.ts'

/** A recorded deployment, or a changed status. The title of the commit is completed when the event is sent. */
export const buildDeploymentEvent = async (
  payload: PayloadContext,
  project: Project,
  { id, status, sha, deployable, environment, updatedAt, user }: DeploymentDetails,
): Promise<HookPayload> => ({
  object_kind: 'deployment',
  status,
  status_changed_at: updatedAt,
  deployment_id: id,
  deployable_id: deployable?.id ?? null,
  deployable_url: deployable?.isPipelineJob
    ? `${toProjectUrl(payload.site, project)}/-/jobs/${deployable.id}`
    : (deployable?.webUrl ?? null),
  environment: environment.name,
  environment_tier: environment.tier,
  environment_slug: environment.slug,
  environment_external_url: environment.externalUrl,
  project: await buildProject(payload, project),
  short_sha: sha.slice(0, 8),
  user: user && buildUser(payload.site)(user),
  user_url: user && `${payload.site}/${user.username}`,
  commit_url: `${toProjectUrl(payload.site, project)}/-/commit/${sha}`,
  commit_title: deployable?.commit?.title ?? null,
})
