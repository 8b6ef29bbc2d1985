import * as v from 'valibot'
import { type Holding, holdingMany } from '../../access/holdings.ts'
import { group, instance, project } from '../../access/subjects.ts'
import { personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { findUser } from '../accounts/queries.ts'
import { userIdOf } from '../issuables/author.ts'
import { completeTodos } from './completing.ts'
import { openTodo } from './opening.ts'
import { onReadable, ownTodos, type TodoRow, todoColumns } from './queries.ts'
import { placeOf, refuseInvisible, todoTarget } from './target.ts'
import { type Todo, type TodoCounts, todoActions, todoTargetTypes } from './todo.ts'

/** Specification 1, "Todos". Places are ids; invisible ones are missed like those that are not there. */
const filters = {
  action: v.optional(v.picklist(todoActions)),
  type: v.optional(v.picklist(todoTargetTypes)),
  author: v.optional(Id),
  project: v.optional(Id),
  group: v.optional(Id),
}

type Filters = v.InferOutput<v.ObjectSchema<typeof filters, undefined>>

const refuseMissingUser = async (ctx: Context, id: number) => {
  if (!(await ctx.db.selectFrom('user').where('id', '=', id).select('id').executeTakeFirst())) throw notFound()
}

const columns = { Issue: 'todo.issueId', MergeRequest: 'todo.mergeRequestId', Epic: 'todo.epicId' } as const

/** The caller's todos of one state, as far as the filters let them through. */
const chosen = async (
  ctx: Context,
  asking: Holding<Context>,
  state: Todo['state'],
  { action, type, author, ...place }: Filters,
) => {
  let rows = ownTodos(asking).where('todo.state', '=', state)
  if (action !== undefined) rows = rows.where('todo.action', '=', action)
  if (type !== undefined) rows = rows.where(columns[type], 'is not', null)
  if (author !== undefined) {
    await refuseMissingUser(ctx, author)
    rows = rows.where('todo.authorId', '=', author)
  }
  if (place.project !== undefined) {
    const ref = { project: place.project }
    const found = await refuseInvisible<'project'>(ctx, () => project.load(ctx, ref))
    rows = rows.where('todo.projectId', '=', found.project.id)
  }
  if (place.group !== undefined) {
    const ref = { group: place.group }
    const found = await refuseInvisible<'group'>(ctx, () => group.load(ctx, ref))
    const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', found.group.id).select('namespaceId')
    const projects = ctx.db.selectFrom('project').where('namespaceId', 'in', below).select('id')
    rows = rows.where((eb) => eb.or([eb('todo.groupId', 'in', below), eb('todo.projectId', 'in', projects)]))
  }
  return rows
}

const own = async (ctx: Context, id: number): Promise<Todo> => {
  const asking = holdingMany(ctx)
  const row = await ownTodos(asking)
    .where('todo.id', '=', id)
    .where(onReadable(asking))
    .select(todoColumns)
    .executeTakeFirst()
  const [todo] = row ? await completeTodos(ctx, [row]) : []
  if (!todo) throw notFound()
  return todo
}

const countOf = async (ctx: Context, state: Todo['state']): Promise<number> => {
  const asking = holdingMany(ctx)
  const row = await ownTodos(asking)
    .where('todo.state', '=', state)
    .where(onReadable(asking))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export const todos = {
  /** The caller's todos on things they can read, newest first: the pending ones, or with `state: 'done'` those that are done. */
  list: query({
    on: instance,
    can: 'todo.own',
    input: { ...paging, ...filters, state: v.optional(v.string()) },
    async run(ctx, { state, page, perPage, ...filter }) {
      const asking = holdingMany(ctx)
      const rows = (await chosen(ctx, asking, state === 'done' ? 'done' : 'pending', filter))
        .where(onReadable(asking))
        .orderBy('todo.id', 'desc')
        .select(todoColumns)
      const found = await paginate(rows, { page, perPage }, (row): TodoRow => row)
      return { ...found, items: await completeTodos(ctx, found.items) }
    },
  }),

  /** How many todos the caller has on things they can read. */
  counts: query({
    on: instance,
    can: 'todo.own',
    run: async (ctx): Promise<TodoCounts> => ({
      pending: await countOf(ctx, 'pending'),
      done: await countOf(ctx, 'done'),
    }),
  }),

  /** Says that a todo of the caller is done; saying so again changes nothing. */
  finish: command({
    on: instance,
    can: 'todo.own',
    input: { todo: Id },
    async run(ctx, { todo }) {
      const found = await own(ctx, todo)
      if (found.state === 'done') return found
      await ctx.db.updateTable('todo').set({ state: 'done', updatedAt: ctx.now }).where('id', '=', todo).execute()
      return own(ctx, todo)
    },
  }),

  /** Says that all pending todos of the caller are done, or those that the filters let through. */
  finishAll: command({
    on: instance,
    can: 'todo.own',
    input: filters,
    async run(ctx, filter) {
      // Whose they are is all that counts here: what cannot be read now is done as well.
      const pending = await chosen(ctx, { ...holdingMany(ctx), listing: ctx.db }, 'pending', filter)
      await ctx.db
        .updateTable('todo')
        .set({ state: 'done', updatedAt: ctx.now })
        .where('id', 'in', pending.select('todo.id'))
        .execute()
    },
  }),

  /** Adds a todo of the caller's own. `changed` is false when one was pending there already. */
  mark: command({
    on: todoTarget,
    can: 'todo.mark',
    input: {
      /** Only for the host application: whose it is to be. */
      user: v.optional(Reference),
    },
    async run(ctx, { user }, found) {
      const userId = await userIdOf(ctx, user)
      const place = placeOf(found)
      return openTodo(ctx, { userId, authorId: userId, action: 'marked', place })
    },
  }),

  /** For the host application: asks for a user's attention, such as when a pipeline failed or an approval is needed. */
  open: command({
    on: todoTarget,
    can: 'todo.open',
    input: {
      user: Reference,
      action: v.picklist(todoActions),
      /** Who causes it; the caller, or for the host itself the user, when absent. */
      author: v.optional(Reference),
    },
    async run(ctx, { user, action, author }, found) {
      const { id: userId } = await findUser(ctx, user)
      const authorId = author === undefined ? personId(ctx.actor) || userId : (await findUser(ctx, author)).id
      return openTodo(ctx, { userId, authorId, action, place: placeOf(found) })
    },
  }),
}
