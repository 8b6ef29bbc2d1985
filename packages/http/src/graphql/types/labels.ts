import type { Session } from '@forgelet/core'
import type { Label, LabelDetails } from '@forgelet/core/operations'
import { LabelWire } from '../../shapes/label.ts'
import { readConnection, type Slice, sliceConnection } from '../connection.ts'
import { listField } from '../fields.ts'
import { ifVisible } from '../if-visible.ts'
import { pick } from '../mutation.ts'
import type { Item } from '../references.ts'
import type { GraphqlContext, Resolver, With, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'

/** The parent of labels, in the input of operations. */
export type Container = { readonly project: number | string } | { readonly group: number | string }

const labelArguments = `title: String, includeAncestorGroups: Boolean = true, ${paging}`

/** The label with this title, as a list. */
const findByTitle = async ({ labels }: Session, input: Parameters<typeof labels.get>[0]): Promise<Slice<Label>> => {
  const label = await ifVisible(labels.get(input))
  return { items: label ? [label] : [], total: label ? 1 : 0, hasNext: false }
}

/** The labels that can be used in a project or a group. */
const createListResolver = (toContainer: (id: number) => Container): Resolver =>
  listField(
    LabelWire,
    (session, window, { id }: WithId, { title, includeAncestorGroups }: With<{ title?: string | null }>) => {
      const input = {
        ...toContainer(id),
        includeAncestorGroups: includeAncestorGroups !== false,
      }
      return title == null
        ? session.labels.list({ ...input, ...window })
        : findByTitle(session, { ...input, name: title })
    },
  )

/** The labels of an issue or merge request, whose JSON contains the names only. */
export const readIssuableLabels =
  (kind: 'issues' | 'mergeRequests'): Resolver =>
  async ({ project_id: project, iid }: Item, args, { session, site }) => {
    const input = { project, iids: [iid], withLabelsDetails: true }
    const { items } = await session[kind].list(input)
    const labels: readonly LabelDetails[] = items[0]?.labelDetails ?? []
    return sliceConnection(
      args,
      labels.map((label) => LabelWire(label as Label, site)),
    )
  }

/** The labels of an epic, whose JSON contains the names only. */
export const readEpicLabels: Resolver = (
  { group_id: group, labels }: With<{ group_id: number; labels: string[] }>,
  args,
  { session, site },
) =>
  readConnection(
    args,
    (label: Label) => LabelWire(label, site),
    async ({ page, perPage }) => {
      const shown = labels.slice((page - 1) * perPage, page * perPage)
      const items = await Promise.all(shown.map((name) => session.labels.get({ group, name })))
      return { items, total: labels.length, hasNext: page * perPage < labels.length }
    },
  )

/** The names of labels of a container, by id. */
export const readLabelNames = (
  { labels }: Session,
  container: Container,
  ids: readonly number[],
): Promise<readonly string[]> => Promise.all(ids.map(async (label) => (await labels.get({ ...container, label })).name))

type LabelInput = With<{ projectPath?: string | null; groupPath?: string | null; title: string; color?: string | null }>

const createLabel = async (input: LabelInput, { session, site }: GraphqlContext) => {
  const { projectPath, groupPath, title, color } = input
  const container = {
    ...(projectPath != null && { project: projectPath }),
    ...(groupPath != null && { group: groupPath }),
  } as { project: string }
  const label = await session.labels.create({
    ...container,
    name: title,
    color: color ?? '#6699cc',
    ...pick(input, 'description'),
  })
  return { label: LabelWire(label, site) }
}

/** Labels. */
export const labelPart: SchemaPart = {
  types: `
type Label { id: ID! title: String! color: String! textColor: String! description: String descriptionHtml: String }

extend type Project { labels(${labelArguments}): LabelConnection }
extend type Group { labels(${labelArguments}): LabelConnection }
`,
  resolvers: {
    Label: { computed: { title: ({ name }) => name } },
    Project: { calls: { labels: createListResolver((project) => ({ project })) } },
    Group: { calls: { labels: createListResolver((group) => ({ group })) } },
  },
  mutations: {
    labelCreate: {
      input: 'projectPath: ID groupPath: ID title: String! color: String description: String',
      payload: 'label: Label',
      run: createLabel,
    },
  },
}
