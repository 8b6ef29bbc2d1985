import * as v from 'valibot'
import type { IssueScope } from '../../../access/issue-rows.ts'
import { place } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { assertOwnMilestone } from './queries.ts'

/** The subject of a list of issues or merge requests. */
export type ListSubject = IssueScope | Subjects['milestone']

const entries = { ...place.entries, milestone: v.optional(IdOrName) }

/** A place, or by its id a milestone of a project. Titles of milestones are filters. */
export const placeOrMilestone: SubjectLoader<ListSubject['kind'], typeof entries> = {
  kinds: [...place.kinds, 'milestone'],
  entries,
  rules: [
    ...(place.rules ?? []),
    ({ project, group, milestone }) =>
      typeof milestone === 'number' && project === undefined && group === undefined
        ? { fields: ['milestone'], message: 'requires project or group if it is an id' }
        : undefined,
  ],
  kindOf({ project, group, milestone }) {
    if (project !== undefined) return typeof milestone === 'number' ? 'milestone' : 'project'
    return group === undefined ? 'instance' : 'group'
  },
  async load(ctx, { milestone, ...reference }) {
    const subject = await place.load(ctx, reference)
    return typeof milestone === 'number' && subject.kind === 'project' ? { ...subject, kind: 'milestone' } : subject
  },
}

/** The place of a list. @throws PlatformError `not_found` for the id of a milestone of another place */
export const toListScope = async (
  ctx: Context,
  subject: ListSubject,
  milestone: number | string | undefined,
): Promise<IssueScope> => {
  const scope = subject.kind === 'milestone' ? ({ ...subject, kind: 'project' } as const) : subject
  if (typeof milestone === 'number' && scope.kind !== 'instance') await assertOwnMilestone(ctx, scope, milestone)
  return scope
}
