import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { exactlyOne, Id, Reference } from '../../kernel/inputs.ts'
import type { InputRule, Subject } from '../../kernel/operation.ts'
import type { Soon } from '../../kernel/store.ts'
import type { Noteable, Subjects } from '../../policy.ts'
import { visible } from '../../policy.ts'
import { epic } from '../epics/subject.ts'
import { issue } from '../issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { findSnippet } from '../snippets/queries.ts'
import type { NoteableKind, NoteTarget } from './note.ts'
import { noteOf } from './queries.ts'

type Ref = number | string

/** An issue or merge request by its iid, a project's snippet or an epic by its id. */
export type NoteableRef =
  | { readonly project: Ref; readonly issue: number }
  | { readonly project: Ref; readonly mergeRequest: number }
  | { readonly project: Ref; readonly snippet: number }
  | { readonly group: Ref; readonly epic: number }

const entries = {
  project: v.optional(Reference),
  group: v.optional(Reference),
  issue: v.optional(Id),
  mergeRequest: v.optional(Id),
  snippet: v.optional(Id),
  epic: v.optional(Id),
}

type Parsed = { readonly [K in keyof typeof entries]?: v.InferOutput<(typeof entries)[K]> }

interface Owners {
  readonly project?: Ref | undefined
  readonly group?: Ref | undefined
  readonly epic?: number | undefined
}

/** Epics belong to groups, everything else to projects. */
export const ownerFits: InputRule<Owners> = ({ project, group, epic }) => {
  if (epic === undefined) return project === undefined ? { fields: ['project'], message: 'is missing' } : undefined
  return group === undefined ? { fields: ['group'], message: 'is missing' } : undefined
}

const rules = [
  exactlyOne<Parsed>('issue', 'mergeRequest', 'snippet', 'epic'),
  exactlyOne<Parsed>('project', 'group'),
  ownerFits,
]

const projectSnippet = async (ctx: Context, ref: Parsed): Promise<Subjects['snippet']> => {
  const place = await project.load(ctx, { project: ref.project as Ref })
  if (!visible.project.holds(ctx.actor, place)) throw notFound('Project')
  const record = await findSnippet(ctx, ref.snippet as number)
  if (record?.projectId !== place.project.id) throw notFound()
  return { ...place, kind: 'snippet', snippet: record }
}

const find = (ctx: Context, ref: Parsed): Soon<Noteable> => {
  if (ref.issue !== undefined) return issue.load(ctx, ref as never)
  if (ref.mergeRequest !== undefined) return mergeRequest.load(ctx, ref as never)
  return ref.snippet === undefined ? epic.load(ctx, ref as never) : projectSnippet(ctx, ref)
}

/** Finds what notes hang on, and misses what the caller cannot read in the words for a row that is not there. */
const load = async (ctx: Context, ref: Parsed): Promise<Noteable> => {
  const found = await find(ctx, ref)
  if (!readable(ctx.actor, found)) throw notFound()
  return found
}

/** Whether somebody can read what notes hang on, as the subject was found for them. */
export const readable = (actor: Context['actor'], found: Noteable): boolean =>
  (visible[found.kind] as { holds(actor: Context['actor'], on: Noteable): boolean }).holds(actor, found)

/** What notes hang on: an issue, a merge request, a project's snippet or an epic. */
export const noteable: Subject<NoteableKind, typeof entries, NoteableRef> = {
  kinds: ['issue', 'mergeRequest', 'snippet', 'epic'],
  entries,
  rules,
  load,
}

const noteEntries = { ...entries, note: Id }

/** One note of it. A note of something else is as missing as one that never was. */
export const note: Subject<'note', typeof noteEntries, NoteableRef & { readonly note: number }> = {
  kinds: ['note'],
  entries: noteEntries,
  rules,
  async load(ctx, ref): Promise<Subjects['note']> {
    const found = await load(ctx, ref)
    const record = await noteOf(ctx, keyOf(found), ref.note)
    if (!record) throw notFound()
    return { kind: 'note', noteable: found, access: found.access, note: record }
  },
}

/** The column that ties notes to it, and its value. */
export const keyOf = (found: Noteable): { readonly column: `${NoteableKind}Id`; readonly id: number } => ({
  column: `${found.kind}Id`,
  id: targetOf(found).id,
})

/** What facts about notes tell of it. */
export const targetOf = (found: Noteable): NoteTarget => {
  switch (found.kind) {
    case 'issue': {
      const { id, iid, projectId, title, authorId } = found.issue
      return { kind: 'issue', id, iid, projectId, groupId: null, title, authorId }
    }
    case 'mergeRequest': {
      const { id, iid, projectId, title, authorId } = found.mergeRequest
      return { kind: 'mergeRequest', id, iid, projectId, groupId: null, title, authorId }
    }
    case 'snippet': {
      const { id, projectId, title, authorId } = found.snippet
      return { kind: 'snippet', id, iid: null, projectId, groupId: null, title, authorId }
    }
    case 'epic': {
      const { id, iid, groupId, title, authorId } = found.epic
      return { kind: 'epic', id, iid, projectId: null, groupId, title, authorId }
    }
  }
}
