import * as v from 'valibot'
import { getProjectAccessLevel } from '../../access/actor-level.ts'
import { findProject } from '../../access/projects.ts'
import { instance, project } from '../../access/subjects.ts'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id, IdOrName } from '../../kernel/inputs.ts'
import type { SubjectLoader } from '../../kernel/operation.ts'
import { within } from '../../policy/compose-subjects.ts'
import { isVisibleTo } from '../../policy/visible.ts'
import { findSnippet } from './queries.ts'
import type { SnippetRecord } from './snippet.ts'

const noProject = { id: 0, namespaceId: 0 }

/** A snippet with its project, if any. */
export const loadSnippetSubject = async (ctx: Context, snippet: SnippetRecord): Promise<Subjects['snippet']> => {
  const project = snippet.projectId === null ? undefined : await findProject(ctx, snippet.projectId)
  // Query the access level for personal snippets too, so that response times do not reveal the type of a snippet.
  const access = await getProjectAccessLevel(ctx, project ?? noProject)
  return { kind: 'snippet', project: project ?? null, access, snippet }
}

const load = async (ctx: Context, id: number): Promise<Subjects['snippet']> => {
  const record = await findSnippet(ctx, id)
  if (!record) throw notFound('Snippet')
  return loadSnippetSubject(ctx, record)
}

const entries = {
  /** Id of the snippet, personal or of a project. */
  snippet: Id,
}

/** A personal or project snippet by its id. */
export const snippet: SubjectLoader<'snippet', typeof entries> = {
  kinds: ['snippet'],
  entries,
  load: (ctx, ref) => load(ctx, ref.snippet),
}

/** A snippet of a project, by its id. An invisible one causes the same error as a missing one. */
export const projectSnippet = within(
  project,
  'snippet',
  {
    /** Id of a snippet of the project. */
    snippet: Id,
  },
  async (ctx, parent, reference) => {
    const record = await findSnippet(ctx, reference.snippet)
    if (record?.projectId !== parent.project.id) return undefined
    const subject = { ...parent, kind: 'snippet', snippet: record } as const
    return isVisibleTo(ctx.actor, subject) ? subject : undefined
  },
)

/** A snippet of a project to change; not found for all users except its author. */
export const ownProjectSnippet = within(
  project,
  'ownSnippet',
  {
    /** Id of a snippet of the project. */
    snippet: Id,
  },
  async (ctx, parent, reference) => {
    const record = await findSnippet(ctx, reference.snippet)
    if (record?.projectId !== parent.project.id) return undefined
    return { ...parent, kind: 'ownSnippet', snippet: record } as const
  },
)

/** A snippet to change; not found for all users except its author. */
export const ownSnippet: SubjectLoader<'ownSnippet', typeof entries> = {
  kinds: ['ownSnippet'],
  entries,
  load: async (ctx, ref) => ({ ...(await load(ctx, ref.snippet)), kind: 'ownSnippet' }),
}

const containerEntries = {
  /** Id or full path of the project of the snippet. Default: none, for a personal snippet. */
  project: v.optional(IdOrName),
}

/** The container of a new snippet: a project, or the instance for a personal snippet. */
export const snippetContainer: SubjectLoader<'instance' | 'project', typeof containerEntries> = {
  kinds: ['instance', 'project'],
  entries: containerEntries,
  load: (ctx, ref) =>
    ref.project === undefined ? instance.load(ctx, {}) : project.load(ctx, { project: ref.project }),
}
