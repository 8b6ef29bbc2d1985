import type { Project } from '../../../../contract/project.ts'
import type { Signals } from '../../../../contract/signals.ts'
import type { HookPayload } from '../delivery.ts'
import {
  buildProject,
  buildPushedRepository,
  findActor,
  type PayloadContext,
  redactedEmail,
  toAvatarUrl,
} from './common.ts'

type PushEvent = Pick<Signals['code.pushed'], 'push' | 'userId' | 'pushOptions'>

/** The id of a missing commit, of the length of the other one. */
const zeroId = (other: string | null) => '0'.repeat(other?.length ?? 40)

/** A pushed branch or tag. The commits are completed when the event is sent, because reading them takes time. */
export const buildPushEvent = async (
  payload: PayloadContext,
  project: Project,
  { push, userId, pushOptions }: PushEvent,
): Promise<HookPayload> => {
  const { commitFrom, commitTo, refType, ref, commitCount } = push
  const user = await findActor({ ...payload, ctx: payload.ctx.actAs({ kind: 'anonymous' }) }, userId)
  const kind = refType === 'tag' ? 'tag_push' : 'push'
  return {
    object_kind: kind,
    event_name: kind,
    before: commitFrom ?? zeroId(commitTo),
    after: commitTo ?? zeroId(commitFrom),
    ref: refType === 'tag' ? `refs/tags/${ref}` : `refs/heads/${ref}`,
    checkout_sha: commitTo,
    message: null,
    user_id: user?.id ?? null,
    user_name: user?.name ?? null,
    user_username: user?.username ?? null,
    user_email: user && redactedEmail,
    user_avatar: user && toAvatarUrl(payload.site, user),
    project_id: project.id,
    project: await buildProject(payload, project),
    commits: [],
    total_commits_count: commitCount,
    push_options: pushOptions.includes('ci.skip') ? { ci: { skip: true } } : {},
    repository: buildPushedRepository(payload, project),
  }
}

/** All references of one push; only for system hooks. */
export const buildRepositoryUpdate = async (
  payload: PayloadContext,
  project: Project,
  event: PushEvent,
): Promise<HookPayload> => {
  const push = await buildPushEvent(payload, project, event)
  const { before, after, ref } = push
  return {
    event_name: 'repository_update',
    user_id: push.user_id,
    user_name: push.user_name,
    user_email: push.user_email,
    user_avatar: push.user_avatar,
    project_id: project.id,
    project: push.project,
    changes: [{ before, after, ref }],
    refs: [ref],
  }
}
