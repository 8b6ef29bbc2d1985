import * as v from 'valibot'
import { group, project } from '../../access/subjects.ts'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { exactlyOne, IdOrName } from '../../kernel/inputs.ts'
import type { SubjectLoader } from '../../kernel/operation.ts'
import { isContainerRegistryEnabled } from './queries.ts'

type Ref = number | string

const load = async (ctx: Context, ref: Ref): Promise<Subjects['registry']> => {
  const { project: record, access } = await project.load(ctx, { project: ref })
  const isEnabled = await isContainerRegistryEnabled(ctx, record.id)
  return { kind: 'registry', project: record, access, isEnabled }
}

const projectEntries = { project: IdOrName }

/** The container registry of a project. */
export const registry: SubjectLoader<'registry', typeof projectEntries> = {
  kinds: ['registry'],
  entries: projectEntries,
  load: (ctx, { project }) => load(ctx, project),
}

const eitherEntries = { project: v.optional(IdOrName), group: v.optional(IdOrName) }

/** The container registry of a project, or those of all projects of a group and its subgroups. */
export const registryOrGroup: SubjectLoader<
  'registry' | 'group',
  typeof eitherEntries,
  { readonly project: Ref; readonly group?: undefined } | { readonly group: Ref; readonly project?: undefined }
> = {
  kinds: ['registry', 'group'],
  entries: eitherEntries,
  rules: [exactlyOne('project', 'group')],
  load: (ctx, { project, group: ref }) =>
    project === undefined ? group.load(ctx, { group: ref as Ref }) : load(ctx, project),
}
