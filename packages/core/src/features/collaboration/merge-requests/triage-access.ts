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

type Target = Pick<Subjects['project'], 'project' | 'access'>

/** Whether the current user may change all of these fields. */
export const mayTriage = (ctx: Context, { project, access }: Target, input: TriageInput): boolean =>
  names.every((name) => input[name] === undefined) ||
  hasAbility(ctx.actor, { kind: 'project', project, access }, 'mergeRequest.triage')

/** Authors of merge requests from forks can be no members of the target project: their labels and users are ignored, as in GitLab. */
export const keepPermitted = <T extends TriageInput>(ctx: Context, target: Target, input: T): T =>
  mayTriage(ctx, target, input) ? input : { ...input, ...Object.fromEntries(names.map((name) => [name, undefined])) }
