import { defined, features, type Todo } from '@forgelet/core/operations'
import { empty, mapped, one, page } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { TodoWire } from '../shapes/todo.ts'

const { todos } = features

/** The filters are ids. */
const names = { author_id: 'author', project_id: 'project', group_id: 'group' } as const

export const todoRoutes = [
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
