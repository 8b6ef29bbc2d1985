import { defined } from '@forgelet/core/operations'
import { TodoWire } from '../../shapes/todo.ts'
import { concatenate, type Window } from '../connection.ts'
import { listField } from '../fields.ts'
import { parseIdOf } from '../global-id.ts'
import { findItem } from '../references.ts'
import type { Json } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { readGroup } from './groups.ts'
import { readProject } from './projects.ts'

const targetTypes: Readonly<Record<string, string>> = { ISSUE: 'Issue', MERGEREQUEST: 'MergeRequest', EPIC: 'Epic' }

/** The single value of a list argument: the operation filters by one. */
const onlyOf = (list: unknown): string | undefined => {
  const values = (list as readonly string[] | null | undefined) ?? []
  return values.length === 1 ? values[0] : undefined
}

const idOf = (parent: unknown) => (parent as Json).id as number

/** To-do items of the current user. */
export const todoPart: SchemaPart = {
  types: `
enum TodoStateEnum { pending done }
enum TodoActionEnum {
  assigned mentioned build_failed marked approval_required unmergeable directly_addressed
}
enum TodoTargetEnum { ISSUE MERGEREQUEST EPIC }

"What a to-do item refers to."
interface Todoable { webUrl: String }

type Todo {
  id: TodoID! action: TodoActionEnum! body: String! state: TodoStateEnum! targetType: TodoTargetEnum! targetUrl: String
  createdAt: Time! author: UserCore! project: Project group: Group target: Todoable
}
extend type CurrentUser {
  "Several actions or types are all of them."
  todos(state: [TodoStateEnum!] = [pending], action: [TodoActionEnum!], type: [TodoTargetEnum!], ${paging}): TodoConnection
}
`,
  resolvers: {
    CurrentUser: {
      calls: {
        todos: listField(TodoWire, ({ todos }, window, _source, args) => {
          const action = onlyOf(args.action)
          const type = onlyOf(args.type)
          const filter = {
            ...(action !== undefined && { action: action as 'assigned' }),
            ...(type !== undefined && { type: targetTypes[type] as 'Issue' }),
          }
          const listOf = (state: string) => (part: Window) => todos.list({ state, ...filter, ...part })
          const states = new Set((args.state as readonly string[] | null) ?? ['pending', 'done'])
          return (states.size === 1 ? listOf(defined([...states][0])) : concatenate(listOf('pending'), listOf('done')))(
            window,
          )
        }),
      },
    },
    Todo: {
      computed: {
        action: ({ action_name: action }) => action,
        targetType: ({ target_type: type }) => String(type).toUpperCase(),
        target: ({ target_type: type, target }) => ({
          ...(target as Json),
          __typename: type === 'Epic' ? 'WorkItem' : type,
        }),
      },
      calls: {
        project: ({ project }, _args, context) => (project ? readProject(idOf(project), context) : null),
        group: ({ group }, _args, context) => (group ? readGroup(idOf(group), context) : null),
      },
    },
  },
  mutations: {
    todoCreate: {
      input: 'targetId: TodoableID!',
      payload: 'todo: Todo',
      async run({ targetId }, { session, site }) {
        const item = await findItem(session, targetId)
        const { todo } = await session.todos.create(item as { project: number; issue: number })
        return { todo: TodoWire(todo, site) }
      },
    },
    todoMarkDone: {
      input: 'id: TodoID!',
      payload: 'todo: Todo',
      run: async ({ id }, { session, site }) => ({
        todo: TodoWire(await session.todos.finish({ todo: parseIdOf('Todo', id) }), site),
      }),
    },
  },
}
