import * as v from 'valibot'
import { group, project } from '../../access/subjects.ts'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { PlatformError } from '../../kernel/errors.ts'
import { exactlyOne, IdOrName } from '../../kernel/inputs.ts'
import type { SubjectLoader } from '../../kernel/operation.ts'
import { withDefaultSettings } from '../projects/settings.ts'

type Ref = number | string

const loadProjectWiki = async (ctx: Context, ref: Ref): Promise<Subjects['wiki']> => {
  const { project: record, access } = await project.load(ctx, { project: ref })
  const row = await ctx.db
    .selectFrom('project')
    .where('id', '=', record.id)
    .select('settings')
    .executeTakeFirstOrThrow()
  return { kind: 'wiki', project: record, access, accessLevel: withDefaultSettings(row.settings).wikiAccessLevel }
}

const loadGroupWiki = async (ctx: Context, ref: Ref): Promise<Subjects['group']> => {
  if (ctx.tier === 'free') throw new PlatformError('not_licensed', 'This operation requires the paid tier')
  return group.load(ctx, { group: ref })
}

/** The wiki of a project. */
export const projectWiki: SubjectLoader<'wiki', typeof project.entries> = {
  kinds: ['wiki'],
  entries: project.entries,
  load: (ctx, { project }) => loadProjectWiki(ctx, project),
}

const eitherEntries = { project: v.optional(IdOrName), group: v.optional(IdOrName) }

type ProjectOrGroup =
  | {
      /** Id (number) or full path (string, case-insensitive) of the project. Required unless `group` is set. */
      readonly project: Ref
      readonly group?: undefined
    }
  | {
      /** Id (number) or full path (string, case-insensitive) of the group. Required unless `project` is set. */
      readonly group: Ref
      readonly project?: undefined
    }

/** The wiki of a project, or that of a group, which requires the paid tier. */
export const wiki: SubjectLoader<'wiki' | 'group', typeof eitherEntries, ProjectOrGroup> = {
  kinds: ['wiki', 'group'],
  entries: eitherEntries,
  rules: [exactlyOne('project', 'group')],
  load: (ctx, { project, group }) =>
    project === undefined ? loadGroupWiki(ctx, group as Ref) : loadProjectWiki(ctx, project),
}
