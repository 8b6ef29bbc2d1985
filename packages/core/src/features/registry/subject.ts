import * as v from 'valibot'
import { group, project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { exactlyOne, Reference } from '../../kernel/inputs.ts'
import type { Subject } from '../../kernel/operation.ts'
import type { Subjects } from '../../policy.ts'
import { containerRegistryEnabled } from './queries.ts'

type Ref = number | string

const load = async (ctx: Context, ref: Ref): Promise<Subjects['registry']> => {
  const found = await project.load(ctx, { project: ref })
  const enabled = await containerRegistryEnabled(ctx, found.project.id)
  return { kind: 'registry', project: found.project, access: found.access, enabled }
}

const projectEntries = { project: Reference }

/** The container registry of a project. */
export const registry: Subject<'registry', typeof projectEntries> = {
  kinds: ['registry'],
  entries: projectEntries,
  load: (ctx, { project }) => load(ctx, project),
}

const eitherEntries = { project: v.optional(Reference), group: v.optional(Reference) }

/** The container registry of a project, or those of all projects of a group and the groups below it. */
export const registryOrGroup: Subject<
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
