import * as v from 'valibot'
import { withGrants } from '../../../access/grants.ts'
import { group, instance, project } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { Id, IdOrName, mutuallyExclusive } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import { defined } from '../../../shared/defined.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { countAssignedIssues, countMergeRequestsOf } from './assigned-items.ts'
import { completeTodos } from './complete-todos.ts'
import { openTodo } from './mutations.ts'
import { selectOwnTodos, type TodoRow, todoColumns, withReadableTarget } from './queries.ts'
import {
  accessRequested,
  filterActions,
  filterTargetTypes,
  itemActions,
  type Todo,
  type TodoCounts,
  type TodoTargetType,
} from './todo.ts'
import { todoTarget, toTargetKey } from './todo-target.ts'

/** Specification 1, "Todos". Projects and groups are given by id; invisible and missing ones cause the same error. */
const filters = {
  /** Only to-do items with this cause, such as `assigned` or `mentioned`. */
  action: v.optional(v.picklist(filterActions)),
  /** Only to-do items on targets of this kind. */
  type: v.optional(v.picklist(filterTargetTypes)),
  /** Only to-do items that this user caused, by id. */
  author: v.optional(Id),
  /** Only to-do items of this project, by id. */
  project: v.optional(Id),
  /** Only to-do items of this group and everything below it, by id. */
  group: v.optional(Id),
}

type Filters = v.InferOutput<v.ObjectSchema<typeof filters, undefined>>

const assertUserExists = async (ctx: Context, id: number) => {
  if (!(await ctx.db.selectFrom('user').where('id', '=', id).select('id').executeTakeFirst())) throw notFound()
}

const columns: { readonly [T in TodoTargetType]: 'issueId' | 'mergeRequestId' | 'epicId' | 'projectId' | 'groupId' } = {
  Issue: 'issueId',
  MergeRequest: 'mergeRequestId',
  Epic: 'epicId',
  Project: 'projectId',
  Namespace: 'groupId',
}

/** To-do items on targets of a kind. Those on issues, merge requests and epics have a project or group, too. */
const selectType = (rows: ReturnType<typeof selectOwnTodos>, type: TodoTargetType) => {
  const ofType = rows.where(`todo.${columns[type]}`, 'is not', null)
  return type === 'Project' || type === 'Namespace' ? ofType.where('todo.action', '=', accessRequested) : ofType
}

const isStoredType = (type: string): type is TodoTargetType => Object.hasOwn(columns, type)

/** The current user's to-do items with this state that match the filters. */
const selectFilteredTodos = async (
  ctx: Context,
  state: Todo['state'],
  { action, type, author, ...container }: Filters,
) => {
  let rows = selectOwnTodos(ctx).where('todo.state', '=', state)
  if (action === 'merge_train_removed' || (type !== undefined && !isStoredType(type)))
    return rows.where('todo.id', 'is', null)
  if (action !== undefined) rows = rows.where('todo.action', '=', action)
  if (type !== undefined) rows = selectType(rows, type)
  if (author !== undefined) {
    await assertUserExists(ctx, author)
    rows = rows.where('todo.authorId', '=', author)
  }
  if (container.project !== undefined) {
    const subject = await loadIfVisible(ctx, project, { project: container.project })
    if (!subject) throw notFound()
    rows = rows.where('todo.projectId', '=', subject.project.id)
  }
  if (container.group !== undefined) {
    const subject = await loadIfVisible(ctx, group, { group: container.group })
    if (!subject) throw notFound()
    const groups = ctx.db
      .selectFrom('namespaceLineage')
      .where('ancestorId', '=', subject.group.id)
      .select('namespaceId')
    const projects = ctx.db.selectFrom('project').where('namespaceId', 'in', groups).select('id')
    rows = rows.where((eb) => eb.or([eb('todo.groupId', 'in', groups), eb('todo.projectId', 'in', projects)]))
  }
  return rows
}

const getOwnTodo = async (ctx: Context, id: number): Promise<Todo> => {
  const row = await withReadableTarget(await withGrants(ctx), selectOwnTodos(ctx))
    .where('todo.id', '=', id)
    .select(todoColumns)
    .executeTakeFirst()
  const [todo] = row ? await completeTodos(ctx, [row]) : []
  if (!todo) throw notFound()
  return todo
}

const countTodos = async (ctx: Context, state: Todo['state']): Promise<number> => {
  const row = await withReadableTarget(await withGrants(ctx), selectOwnTodos(ctx))
    .where('todo.state', '=', state)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The pending to-do item of a user on a target. */
export interface CreatedTodo {
  /** False if the user had a pending to-do item on the target already, for calls of the host one with the same cause. */
  changed: boolean
  /** The pending to-do item. */
  todo: Todo
}

export const todos = {
  /** Lists the current user's to-do items with readable targets, newest first; by default the pending ones. */
  list: query({
    on: instance,
    can: 'todo.manageOwn',
    input: {
      ...pagingEntries,
      ...filters,
      /** `done` lists to-do items that are done; every other value lists pending ones. */
      state: v.optional(v.string()),
    },
    async run(ctx, { state, page, perPage, ...filter }): Promise<Page<Todo>> {
      const filtered = await selectFilteredTodos(ctx, state === 'done' ? 'done' : 'pending', filter)
      const rows = withReadableTarget(await withGrants(ctx), filtered)
        .orderBy('todo.id', 'desc')
        .select(todoColumns)
      const todoPage = await paginate(rows, { page, perPage }, (row): TodoRow => row)
      return { ...todoPage, items: await completeTodos(ctx, todoPage.items) }
    },
  }),

  /** Counts the current user's to-do items with readable targets, and the open issues and merge requests of the user. */
  count: query({
    on: instance,
    can: 'todo.manageOwn',
    async run(ctx): Promise<TodoCounts> {
      const listCtx = await withGrants(ctx)
      return {
        assignedIssues: await countAssignedIssues(listCtx),
        assignedMergeRequests: await countMergeRequestsOf(listCtx, 'mergeRequestAssignee'),
        reviewRequestedMergeRequests: await countMergeRequestsOf(listCtx, 'mergeRequestReviewer'),
        pending: await countTodos(ctx, 'pending'),
        done: await countTodos(ctx, 'done'),
      }
    },
  }),

  /**
   * Marks a to-do item of the current user as done and returns it. Without `todo`, marks all pending ones that match the filters as
   * done, also those whose target is no longer readable, and returns null.
   */
  finish: command({
    on: instance,
    can: 'todo.manageOwn',
    serializes: 'user',
    input: {
      /** Id of a to-do item of the current user. Cannot be combined with filters. */
      todo: v.optional(Id),
      ...filters,
    },
    rules: Object.keys(filters).map((name) => mutuallyExclusive<Readonly<Record<string, unknown>>>('todo', name)),
    async run(ctx, { todo, ...filter }): Promise<Todo | null> {
      const current = todo === undefined ? undefined : await getOwnTodo(ctx, todo)
      if (current?.state === 'done') return current
      const rows = current
        ? selectOwnTodos(ctx).where('todo.id', '=', current.id)
        : await selectFilteredTodos(ctx, 'pending', filter)
      await ctx.db
        .updateTable('todo')
        .set({ state: 'done', updatedAt: ctx.now })
        .where('id', 'in', rows.select('todo.id'))
        .where('state', '=', 'pending')
        .execute()
      return current ? getOwnTodo(ctx, current.id) : null
    },
  }),

  /**
   * Creates a to-do item for the current user, and returns it, unless there is a pending one on the target. The host application
   * creates them for others, with any cause.
   */
  create: command({
    on: todoTarget,
    can: 'todo.create',
    serializes: 'project',
    input: {
      /** Id or username of the user who gets it: required for calls of the host, `forbidden` for users. */
      user: v.optional(IdOrName),
      /** Cause of the to-do item, such as `build_failed`. Only the host sets it. Default: `marked`. */
      action: v.optional(v.picklist(itemActions)),
      /** Id or username of the user who caused it. Only the host sets it. Default: the user who gets it. */
      author: v.optional(IdOrName),
    },
    async run(ctx, { user, action, author }, target): Promise<CreatedTodo> {
      if (ctx.actor.kind === 'user' && action !== undefined) throw forbidden('Only the host application can set action')
      const userId = await resolveAuthorId(ctx, user)
      const { id, changed } = await openTodo(ctx, {
        userId,
        authorId: author === undefined ? userId : await resolveAuthorId(ctx, author),
        action: action ?? 'marked',
        target: toTargetKey(target),
      })
      const row = await ctx.db.selectFrom('todo').where('id', '=', id).select(todoColumns).executeTakeFirstOrThrow()
      const [todo] = await completeTodos(ctx, [row])
      return { changed, todo: defined(todo) }
    },
  }),
}
