import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'

/** What only members of the target project decide. */
interface TriageInput {
  readonly labels?: unknown
  readonly addLabels?: unknown
  readonly removeLabels?: unknown
  readonly assignees?: unknown
  readonly milestone?: unknown
  readonly reviewers?: unknown
}

const names = ['labels', 'addLabels', 'removeLabels', 'assignees', 'milestone', 'reviewers'] as const

/** Authors of merge requests from forks can be no members of the target project: their labels and users are ignored, as in GitLab. */
export const keepPermitted = <T extends TriageInput>(
  ctx: Context,
  { project, access }: Pick<Subjects['project'], 'project' | 'access'>,
  input: T,
): T => {
  if (hasAbility(ctx.actor, { kind: 'project', project, access }, 'mergeRequest.triage')) return input
  return { ...input, ...Object.fromEntries(names.map((name) => [name, undefined])) }
}
