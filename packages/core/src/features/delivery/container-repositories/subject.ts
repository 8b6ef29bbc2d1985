import * as v from 'valibot'
import { group, project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { exactlyOne, Id, IdOrName } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { defined } from '../../../shared/defined.ts'
import { findRepositoryById } from './queries.ts'

type Ref = number | string

const load = async (ctx: Context, ref: Ref): Promise<Subjects['registry']> => {
  const { project: record, access } = await project.load(ctx, { project: ref })
  return { kind: 'registry', project: record, access }
}

const projectEntries = {
  /** Id or full path of the project with the registry. */
  project: IdOrName,
}

/** The container registry of a project. */
export const registry: SubjectLoader<'registry', typeof projectEntries> = {
  kinds: ['registry'],
  entries: projectEntries,
  load: (ctx, { project }) => load(ctx, project),
}

export const repositoryEntries = {
  /** Id of the repository, as in `containerRepositories.list`. */
  repository: Id,
}

/** The container registry with this repository. A missing repository is like one of an invisible project. */
export const registryOfRepository: SubjectLoader<'registry', typeof repositoryEntries> = {
  kinds: ['registry'],
  entries: repositoryEntries,
  load: async (ctx, { repository }) => load(ctx, (await findRepositoryById(ctx, repository))?.projectId ?? 0),
}

const eitherEntries = {
  /** Id or full path of a project. Exactly one of `project` and `group` is required. */
  project: v.optional(IdOrName),
  /** Id or full path of a group, which includes all projects below it. */
  group: v.optional(IdOrName),
}

type ProjectOrGroup =
  | {
      /** Id or full path of a project. Exactly one of `project` and `group` is required. */
      readonly project: Ref
      readonly group?: undefined
    }
  | {
      /** Id or full path of a group, which includes all projects below it. */
      readonly group: Ref
      readonly project?: undefined
    }

/** The container registry of a project, or those of all projects of a group and its subgroups. */
export const registryOrGroup: SubjectLoader<'registry' | 'group', typeof eitherEntries, ProjectOrGroup> = {
  kinds: ['registry', 'group'],
  entries: eitherEntries,
  rules: [exactlyOne('project', 'group')],
  load: (ctx, { project, group: ref }) =>
    project === undefined ? group.load(ctx, { group: defined(ref) }) : load(ctx, project),
}
