import * as v from 'valibot'
import { accessToProject } from '../../access/membership.ts'
import { instance, project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id, Reference } from '../../kernel/inputs.ts'
import type { Subject } from '../../kernel/operation.ts'
import type { Subjects } from '../../policy.ts'
import { findProject } from '../projects/queries.ts'
import { findSnippet } from './queries.ts'
import type { SnippetRecord } from './snippet.ts'

const nowhere = { id: 0, namespaceId: 0 }

/** A snippet with the project that it belongs to, if any. */
export const placedSnippet = async (ctx: Context, snippet: SnippetRecord): Promise<Subjects['snippet']> => {
  const home = snippet.projectId === null ? undefined : await findProject(ctx, snippet.projectId)
  // A personal snippet costs what one of a project does, so that timing does not tell them apart.
  const access = await accessToProject(ctx, home ?? nowhere)
  return { kind: 'snippet', project: home ?? null, access, snippet }
}

const load = async (ctx: Context, id: number): Promise<Subjects['snippet']> => {
  const record = await findSnippet(ctx, id)
  if (!record) throw notFound('Snippet')
  return placedSnippet(ctx, record)
}

const entries = { snippet: Id }

/** A snippet, personal or of a project, by its id. */
export const snippet: Subject<'snippet', typeof entries> = {
  kinds: ['snippet'],
  entries,
  load: (ctx, ref) => load(ctx, ref.snippet),
}

/** The same for those who want to change it: to everybody but its author it does not exist. */
export const ownSnippet: Subject<'ownSnippet', typeof entries> = {
  kinds: ['ownSnippet'],
  entries,
  load: async (ctx, ref) => ({ ...(await load(ctx, ref.snippet)), kind: 'ownSnippet' }),
}

const placeEntries = { project: v.optional(Reference) }

/** Where a snippet is to be put: a project, or else with its author. */
export const snippetPlace: Subject<'instance' | 'project', typeof placeEntries> = {
  kinds: ['instance', 'project'],
  entries: placeEntries,
  load: (ctx, ref) =>
    ref.project === undefined ? instance.load(ctx, {}) : project.load(ctx, { project: ref.project }),
}
