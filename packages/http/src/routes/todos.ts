import { defined, features, type Todo, type TodoCounts } from '@forgelet/core/operations'
import { Integer } from '../reply/field-types.ts'
import { empty, mapped, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'
import { TodoWire } from '../shapes/todo.ts'

const { todos } = features

/** The filters are ids. */
const names = { author_id: 'author', project_id: 'project', group_id: 'group' } as const

/** What the current user has to do. */
const UserCountsWire = wire<TodoCounts>('UserCounts')({
  /** Older name of `assigned_merge_requests`. */
  merge_requests: computed(Integer, ({ assignedMergeRequests }: TodoCounts) => assignedMergeRequests),
  assigned_issues: Integer,
  assigned_merge_requests: Integer,
  review_requested_merge_requests: Integer,
  /** Number of pending to-do items. */
  todos: computed(Integer, ({ pending }: TodoCounts) => pending),
})

export const todoRoutes = [
  route('GET /user_counts', todos.count, one(UserCountsWire), { extension: true }),
  route('GET /todos', todos.list, page(TodoWire), { names }),
  route(
    'POST /todos/:id/mark_as_done',
    todos.finish,
    mapped((todo: Todo | null) => defined(todo), one(TodoWire)),
    {
      names: { id: 'todo' },
      hidden: ['action', 'type', 'author', 'project', 'group'],
    },
  ),
  route('POST /todos/mark_as_done', todos.finish, empty(), { names, hidden: ['todo'] }),
]
