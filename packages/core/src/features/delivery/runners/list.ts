import * as v from 'valibot'
import { groupIdsWithAccess, projectIdsWithAccess } from '../../../access/access-conditions.ts'
import { Access } from '../../../access/levels.ts'
import { currentUser, place } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { matchesPattern } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { mutuallyExclusive } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { escapeLikePattern } from '../../../kernel/search-text.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { completeRunners, hasStatus, selectRunners } from './queries.ts'
import { type Runner, runnerStatuses, runnerTypes } from './runner.ts'

const listEntries = {
  ...place.entries,
  /** Only runners that the current user manages, instead of those of a place. Default: false. */
  managed: v.optional(v.boolean(), false),
}

/** A project, a group or the instance; or the current user, with the runners of all that they manage. */
export const runnerPlace: SubjectLoader<'project' | 'group' | 'instance' | 'currentUser', typeof listEntries> = {
  kinds: ['project', 'group', 'instance', 'currentUser'],
  entries: listEntries,
  rules: [mutuallyExclusive('project', 'group')],
  kindOf: ({ managed, ...reference }) => (managed === true ? 'currentUser' : (place.kindOf?.(reference) ?? 'instance')),
  load: (ctx, { managed, ...reference }) => (managed ? currentUser.load(ctx, {}) : place.load(ctx, reference)),
}

export const runnerListInput = {
  ...pagingEntries,
  /** Only runners of this type. */
  type: v.optional(v.picklist(runnerTypes)),
  /** Only runners with this status. `active` and `paused` are older forms of `paused`. */
  status: v.optional(v.picklist([...runnerStatuses, 'active', 'paused'])),
  /** Only runners that receive no jobs (true), or only others. Default: both. */
  paused: v.optional(v.boolean()),
  /** Only runners with all of these tags, at most 50. */
  tagList: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(50)), []),
  /** Only runners whose version starts with this text, such as `17.`. */
  versionPrefix: v.optional(v.pipe(v.string(), v.maxLength(100))),
}

type ListInput = v.InferOutput<v.ObjectSchema<typeof runnerListInput, undefined>>

const selectAncestors = ({ db }: Context, namespaceId: number) =>
  db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId')

/** The runners that can take jobs of a project, those of a group, those that the current user manages, or all. */
const selectRunnersOf = async (ctx: Context, subject: Subjects['project' | 'group' | 'instance' | 'currentUser']) => {
  const rows = selectRunners(ctx)
  const ofProjects = ctx.db.selectFrom('runnerProject').select('runnerId')
  switch (subject.kind) {
    case 'instance':
      return rows
    case 'group':
      return rows.where((eb) =>
        eb.or([
          eb('runner.groupId', 'in', selectAncestors(ctx, subject.group.id)),
          eb('runner.runnerType', '=', 'instance_type'),
        ]),
      )
    case 'currentUser':
      return rows.where((eb) =>
        eb.or([
          eb('runner.groupId', 'in', groupIdsWithAccess(ctx, Access.owner)),
          eb('runner.id', 'in', ofProjects.where('projectId', 'in', projectIdsWithAccess(ctx, Access.maintainer))),
        ]),
      )
    case 'project': {
      const { id, namespaceId } = subject.project
      const { sharedRunnersEnabled, groupRunnersEnabled } = await readProjectSettings(ctx, id)
      return rows.where((eb) =>
        eb.or([
          eb('runner.id', 'in', ofProjects.where('projectId', '=', id)),
          ...(groupRunnersEnabled ? [eb('runner.groupId', 'in', selectAncestors(ctx, namespaceId))] : []),
          ...(sharedRunnersEnabled ? [eb('runner.runnerType', '=', 'instance_type')] : []),
        ]),
      )
    }
  }
}

/** A page of runners, by id. */
export const listRunners = async (
  ctx: Context,
  { type, status, paused, tagList, versionPrefix, ...paging }: ListInput,
  subject: Subjects['project' | 'group' | 'instance' | 'currentUser'],
): Promise<Page<Runner>> => {
  let rows = await selectRunnersOf(ctx, subject)
  if (type !== undefined) rows = rows.where('runner.runnerType', '=', type)
  if (status === 'active' || status === 'paused') rows = rows.where('runner.paused', '=', status === 'paused')
  else if (status !== undefined) rows = rows.where(hasStatus(status, ctx))
  if (paused !== undefined) rows = rows.where('runner.paused', '=', paused)
  for (const tag of new Set(tagList))
    rows = rows.where('runner.id', 'in', ctx.db.selectFrom('runnerTag').where('name', '=', tag).select('runnerId'))
  if (versionPrefix !== undefined)
    rows = rows.where(matchesPattern('runner.version', `${escapeLikePattern(versionPrefix)}%`))
  const page = await paginate(rows.orderBy('runner.id'), paging, (row) => row)
  return { ...page, items: await completeRunners(ctx, page.items) }
}
