import { findNamespace } from '../../../../access/namespaces.ts'
import type { Project } from '../../../../contract/project.ts'
import type { Context } from '../../../../kernel/context.ts'
import { formatSshUrl } from '../../../../shared/ssh-url.ts'
import { userSummaries } from '../../../accounts/users/queries.ts'
import type { UserSummary } from '../../../accounts/users/user.ts'
import type { HookPayload } from '../delivery.ts'

/** What the builders of payloads receive. */
export interface PayloadContext {
  readonly ctx: Context
  /** URL of the site without a trailing slash; empty if it is unknown. */
  readonly site: string
}

const visibilityLevels = { private: 0, internal: 10, public: 20 } as const

export const toVisibilityLevel = (visibility: Project['visibility']): number => visibilityLevels[visibility]

/** E-mail addresses that users have not made public. */
export const redactedEmail = '[REDACTED]'

/** URL of a picture. Uploaded ones are on the site. */
export const toAvatarUrl = (site: string, { avatarUrl }: { readonly avatarUrl: string | null }): string | null =>
  avatarUrl?.startsWith('/uploads/') ? `${site}${avatarUrl}` : avatarUrl

/** The URL of the page of a project. */
export const toProjectUrl = (site: string, { fullPath }: Pick<Project, 'fullPath'>): string => `${site}/${fullPath}`

/** The property `project` of payloads. */
export const buildProject = async ({ ctx, site }: PayloadContext, project: Project): Promise<HookPayload> => {
  const namespace = await findNamespace(ctx, project.namespaceId)
  const url = toProjectUrl(site, project)
  const sshUrl = formatSshUrl(project, site, ctx.call.sshPort)
  return {
    id: project.id,
    name: project.name,
    description: project.description ?? '',
    web_url: url,
    avatar_url: toAvatarUrl(site, project),
    git_ssh_url: sshUrl,
    git_http_url: `${url}.git`,
    namespace: namespace?.name ?? '',
    visibility_level: toVisibilityLevel(project.visibility),
    path_with_namespace: project.fullPath,
    default_branch: project.defaultBranch,
    ci_config_path: null,
    homepage: url,
    url: sshUrl,
    ssh_url: sshUrl,
    http_url: `${url}.git`,
  }
}

/** The property `repository` of payloads. */
const buildRepository = ({ ctx, site }: PayloadContext, project: Project): HookPayload => ({
  name: project.name,
  url: formatSshUrl(project, site, ctx.call.sshPort),
  description: project.description ?? '',
  homepage: toProjectUrl(site, project),
})

/** The property `repository` of pushes. */
export const buildPushedRepository = ({ ctx, site }: PayloadContext, project: Project): HookPayload => ({
  ...buildRepository({ ctx, site }, project),
  git_http_url: `${toProjectUrl(site, project)}.git`,
  git_ssh_url: formatSshUrl(project, site, ctx.call.sshPort),
  visibility_level: toVisibilityLevel(project.visibility),
})

/** A user in lists such as `assignees`. */
export const buildUser =
  (site: string) =>
  (user: UserSummary): HookPayload => ({
    id: user.id,
    name: user.name,
    username: user.username,
    avatar_url: toAvatarUrl(site, user),
    email: redactedEmail,
  })

/** The user who caused the event. The host acts without a user; its events belong to `fallbackId`. */
export const findActor = async ({ ctx }: PayloadContext, fallbackId: number | null): Promise<UserSummary | null> => {
  const id = ctx.actor.kind === 'user' ? ctx.actor.id : fallbackId
  return id === null ? null : ((await userSummaries(ctx, [id])).get(id) ?? null)
}

/** The properties that all events about items of a project have. */
export const buildEnvelope = async (
  payload: PayloadContext,
  project: Project,
  fallbackId: number | null,
): Promise<{ readonly user: HookPayload | null; readonly project: HookPayload; readonly repository: HookPayload }> => {
  const actor = await findActor(payload, fallbackId)
  return {
    user: actor && buildUser(payload.site)(actor),
    project: await buildProject(payload, project),
    repository: buildRepository(payload, project),
  }
}
