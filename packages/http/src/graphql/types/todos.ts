import { defined, type Todo } from '@forgelet/core/operations'
import { TodoWire } from '../../shapes/todo.ts'
import { concatenate, type Window } from '../connection.ts'
import { listField } from '../fields.ts'
import { parseIdOf } from '../global-id.ts'
import { findItem } from '../references.ts'
import type { With, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { readGroup } from './groups.ts'
import { readProject } from './projects.ts'

const targetTypes = {
  ISSUE: 'Issue',
  MERGEREQUEST: 'MergeRequest',
  EPIC: 'Epic',
  PROJECT: 'Project',
  NAMESPACE: 'Namespace',
} as const

/** The names of types in the schema that differ from those of targets. */
const typeNames: Readonly<Record<string, string>> = { Epic: 'WorkItem', Namespace: 'Group' }

/** The single value of a list argument: the operation filters by one. */
const onlyOf = <T>(list: readonly T[] | null | undefined): T | undefined => (list?.length === 1 ? list[0] : undefined)

type Parent = WithId | null | undefined

/** The types of these arguments in the schema. */
type TodoArguments = With<{
  state?: readonly string[] | null
  action?: readonly (Todo['actionName'] | 'merge_train_removed')[] | null
  type?: readonly (keyof typeof targetTypes)[] | null
}>

/** To-do items of the current user. */
export const todoPart: SchemaPart = {
  types: `
enum TodoStateEnum { pending done }
enum TodoActionEnum {
  assigned mentioned build_failed marked approval_required unmergeable directly_addressed review_requested
  member_access_requested merge_train_removed
}
enum TodoTargetEnum { ISSUE MERGEREQUEST EPIC PROJECT NAMESPACE }

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
  // Only targets of requests of access, which are rare, call an operation.
  weights: { 'Todo.target': 0.1 },
  resolvers: {
    CurrentUser: {
      calls: {
        todos: listField(TodoWire, ({ todos }, window, _source, args: TodoArguments) => {
          const action = onlyOf(args.action)
          const type = onlyOf(args.type)
          const filter = {
            ...(action !== undefined && { action }),
            ...(type !== undefined && { type: targetTypes[type] }),
          }
          const listOf = (state: string) => (part: Window) => todos.list({ state, ...filter, ...part })
          const states = new Set(args.state ?? ['pending', 'done'])
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
      },
      calls: {
        async target({ target_type: type, target }: With<{ target_type: string; target: WithId }>, _args, context) {
          const __typename = typeNames[type] ?? type
          if (__typename === 'Project') return { ...(await readProject(target.id, context)), __typename }
          return { ...(__typename === 'Group' ? await readGroup(target.id, context) : target), __typename }
        },
        project: ({ project }: With<{ project?: Parent }>, _args, context) =>
          project ? readProject(project.id, context) : null,
        group: ({ group }: With<{ group?: Parent }>, _args, context) => (group ? readGroup(group.id, context) : null),
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
        todo: TodoWire(defined(await session.todos.finish({ todo: parseIdOf('Todo', id) })), site),
      }),
    },
  },
}
