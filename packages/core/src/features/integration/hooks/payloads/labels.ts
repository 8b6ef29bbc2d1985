import { awaitAll } from '../../../../kernel/await-all.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { HookPayload } from '../delivery.ts'

/** The labels with these names that are available in a project, which may have been removed since they were used. */
export const buildLabels = async (
  { db }: Pick<Context, 'db'>,
  project: { readonly id: number; readonly namespaceId: number },
  ...lists: readonly (readonly string[])[]
): Promise<readonly (readonly HookPayload[])[]> => {
  const names = [...new Set(lists.flat())]
  if (!names.length) return lists.map(() => [])
  const named = db
    .selectFrom('label')
    .where('label.name', 'in', names)
    .select(['id', 'name', 'color', 'projectId', 'groupId', 'description', 'createdAt', 'updatedAt'])
  const [ofProject, ofGroups] = await awaitAll([
    named.where('label.projectId', '=', project.id).execute(),
    named
      .where('label.groupId', 'in', (eb) =>
        eb.selectFrom('namespaceLineage').where('namespaceId', '=', project.namespaceId).select('ancestorId'),
      )
      .orderBy('label.id')
      .execute(),
  ])
  const labels = new Map([...ofGroups, ...ofProject].map(({ name, ...label }) => [name, { ...label, title: name }]))
  return lists.map((list) =>
    list
      .map((name) => labels.get(name))
      .filter((label) => label !== undefined)
      .map(toPayload),
  )
}

const toPayload = (label: {
  readonly id: number
  readonly title: string
  readonly color: string
  readonly projectId: number | null
  readonly groupId: number | null
  readonly description: string | null
  readonly createdAt: string
  readonly updatedAt: string
}): HookPayload => ({
  id: label.id,
  title: label.title,
  color: label.color,
  project_id: label.projectId,
  created_at: label.createdAt,
  updated_at: label.updatedAt,
  template: false,
  description: label.description,
  type: label.projectId === null ? 'GroupLabel' : 'ProjectLabel',
  group_id: label.groupId,
})
