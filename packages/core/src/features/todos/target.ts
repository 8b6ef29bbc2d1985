import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { exactlyOne, Id, Reference } from '../../kernel/inputs.ts'
import type { Subject } from '../../kernel/operation.ts'
import type { Soon } from '../../kernel/store.ts'
import { type Subjects, visible } from '../../policy.ts'
import { epic } from '../epics/subject.ts'
import { issue } from '../issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { ownerFits, readable } from '../notes/noteable.ts'

export type TodoTargetKind = 'issue' | 'mergeRequest' | 'epic'
export type TodoTarget = Subjects[TodoTargetKind]

type Ref = number | string

/** An issue or merge request by its iid, an epic by its id. */
export type TodoTargetRef =
  | { readonly project: Ref; readonly issue: number }
  | { readonly project: Ref; readonly mergeRequest: number }
  | { readonly group: Ref; readonly epic: number }

const entries = {
  project: v.optional(Reference),
  group: v.optional(Reference),
  issue: v.optional(Id),
  mergeRequest: v.optional(Id),
  epic: v.optional(Id),
}

type Parsed = { readonly [K in keyof typeof entries]?: v.InferOutput<(typeof entries)[K]> }

const find = (ctx: Context, ref: Parsed): Soon<TodoTarget> => {
  if (ref.issue !== undefined) return issue.load(ctx, ref as never)
  return ref.mergeRequest === undefined ? epic.load(ctx, ref as never) : mergeRequest.load(ctx, ref as never)
}

/** What can ask for somebody's attention: an issue, a merge request or an epic. */
export const todoTarget: Subject<TodoTargetKind, typeof entries, TodoTargetRef> = {
  kinds: ['issue', 'mergeRequest', 'epic'],
  entries,
  rules: [exactlyOne<Parsed>('issue', 'mergeRequest', 'epic'), exactlyOne<Parsed>('project', 'group'), ownerFits],
  async load(ctx, ref) {
    const found = await find(ctx, ref)
    if (!readable(ctx.actor, found)) throw notFound()
    return found
  },
}

/** Where a todo stands. */
export interface TodoPlace {
  readonly kind: TodoTargetKind
  readonly id: number
  readonly projectId: number | null
  readonly groupId: number | null
}

/** What a todo keeps of its target. */
export const placeOf = (found: TodoTarget): TodoPlace => {
  switch (found.kind) {
    case 'issue':
      return { kind: 'issue', id: found.issue.id, projectId: found.issue.projectId, groupId: null }
    case 'mergeRequest':
      return { kind: 'mergeRequest', id: found.mergeRequest.id, projectId: found.mergeRequest.projectId, groupId: null }
    case 'epic':
      return { kind: 'epic', id: found.epic.id, projectId: null, groupId: found.epic.groupId }
  }
}

/** What is missing is missed in the same words, whatever it is. */
const existing = async <T>(load: () => Soon<T>): Promise<T> => {
  try {
    return await load()
  } catch (error) {
    throw (error as { code?: unknown }).code === 'not_found' ? notFound() : error
  }
}

/** A project or group that a filter names: an invisible one is missed like one that is not there. */
export const refuseInvisible = async <K extends 'project' | 'group'>(
  ctx: Context,
  load: () => Soon<Subjects[K]>,
): Promise<Subjects[K]> => {
  const place = await existing(load)
  const rule = visible[place.kind] as { holds(actor: Context['actor'], on: Subjects[K]): boolean }
  if (!rule.holds(ctx.actor, place)) throw notFound()
  return place
}
