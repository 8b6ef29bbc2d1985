import { type ContainerReference, containerEntries, group, project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { exactlyOne } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { defined } from '../../../shared/defined.ts'
import { readStoredSettings } from '../../accounts/namespaces/inherited-settings.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'

type Ref = number | string

const loadProjectWiki = async (ctx: Context, ref: Ref): Promise<Subjects['wiki']> => {
  const { project: record, access } = await project.load(ctx, { project: ref })
  const { wikiAccessLevel: accessLevel } = await readProjectSettings(ctx, record.id)
  return { kind: 'wiki', project: record, access, accessLevel }
}

const loadGroupWiki = async (ctx: Context, ref: Ref): Promise<Subjects['groupWiki']> => {
  if (ctx.tier === 'free') throw new PlatformError('not_licensed', 'This operation requires the paid tier')
  const subject = await group.load(ctx, { group: ref })
  const { wikiAccessLevel = 'enabled' } = await readStoredSettings(ctx, subject.group.id)
  return { ...subject, kind: 'groupWiki', accessLevel: wikiAccessLevel }
}

/** The wiki of a project, or that of a group, which requires the paid tier. */
export const wiki: SubjectLoader<'wiki' | 'groupWiki', typeof containerEntries, ContainerReference> = {
  kinds: ['wiki', 'groupWiki'],
  entries: containerEntries,
  rules: [exactlyOne('project', 'group')],
  load: (ctx, { project, group }) =>
    project === undefined ? loadGroupWiki(ctx, defined(group)) : loadProjectWiki(ctx, project),
}
