import * as v from 'valibot'
import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findProject } from '../../../access/projects.ts'
import { currentUser, instance, project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id, IdOrName } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { within } from '../../../policy/compose-subjects.ts'
import { isVisibleTo } from '../../../policy/visible.ts'
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

const projectSnippetEntries = {
  /** Id of a snippet of the project. */
  snippet: Id,
}

/** A snippet of a project, by its id. An invisible one causes the same error as a missing one. */
export const projectSnippet = within(project, 'snippet', projectSnippetEntries, async (ctx, parent, reference) => {
  const record = await findSnippet(ctx, reference.snippet)
  if (record?.projectId !== parent.project.id) return undefined
  const subject = { ...parent, kind: 'snippet', snippet: record } as const
  return isVisibleTo(ctx.actor, subject) ? subject : undefined
})

const entries = {
  /** Id or full path of the project of the snippet. Default: any, also none. */
  project: v.optional(IdOrName),
  /** Id of the snippet. */
  snippet: Id,
}

/** A snippet by its id: of the named project or, without one, any. */
export const snippet: SubjectLoader<'snippet', typeof entries> = {
  kinds: ['snippet'],
  entries,
  load: (ctx, { project, snippet }) =>
    project === undefined ? load(ctx, snippet) : projectSnippet.load(ctx, { project, snippet }),
}

/** A snippet to change: of the named project or, without one, any of the current user; those of others are not found. */
export const ownSnippet: SubjectLoader<'ownSnippet' | 'snippet', typeof entries> = {
  kinds: ['ownSnippet', 'snippet'],
  kindOf: ({ project }) => (project === undefined ? 'ownSnippet' : 'snippet'),
  entries,
  async load(ctx, { project, snippet }) {
    if (project !== undefined) return projectSnippet.load(ctx, { project, snippet })
    return { ...(await load(ctx, snippet)), kind: 'ownSnippet' }
  },
}

/** A snippet of a project; without a project the instance, so that only administrators learn whether a snippet exists. */
export const snippetOrInstance: SubjectLoader<'instance' | 'snippet', typeof entries> = {
  kinds: ['instance', 'snippet'],
  entries,
  load: (ctx, { project, snippet }) =>
    project === undefined ? instance.load(ctx, {}) : projectSnippet.load(ctx, { project, snippet }),
}

const ownerEntries = {
  /** Id or full path of a project, to list its snippets. Default: none, for those of the current user. */
  project: v.optional(IdOrName),
  /** Whether public personal snippets of all users are listed instead of those of the current user. Default: false. */
  public: v.optional(v.boolean(), false),
}

/** What has the snippets of a list: a project, the current user, or the instance for the public ones. */
export const snippetOwner: SubjectLoader<'currentUser' | 'instance' | 'project', typeof ownerEntries> = {
  kinds: ['currentUser', 'instance', 'project'],
  entries: ownerEntries,
  rules: [
    ({ project, public: isPublic }) =>
      project !== undefined && isPublic
        ? { fields: ['project', 'public'], message: 'are mutually exclusive' }
        : undefined,
  ],
  kindOf({ project, public: isPublic }) {
    if (project !== undefined) return 'project'
    return isPublic ? 'instance' : 'currentUser'
  },
  load(ctx, reference) {
    if (reference.project !== undefined) return project.load(ctx, { project: reference.project })
    return (reference.public ? instance : currentUser).load(ctx, {})
  },
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
