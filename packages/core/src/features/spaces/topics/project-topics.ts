import type { CompleteRow } from '../../../db/complete-row.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'

/** Removes surrounding spaces, empty names and repetitions that differ in case only. */
const normalizeNames = (names: readonly string[]): readonly string[] => {
  const byKey = new Map<string, string>()
  for (const name of names.map((text) => text.trim()).filter(Boolean)) {
    if (!byKey.has(name.toLowerCase())) byKey.set(name.toLowerCase(), name)
  }
  return [...byKey.values()]
}

const readTagList = async (ctx: Context, projectId: number): Promise<readonly string[]> => {
  const row = await ctx.db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst()
  return row?.settings?.tagList ?? []
}

const findTopicIds = async (ctx: Context, names: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const keys = names.map((name) => name.toLowerCase())
  const rows = await ctx.db.selectFrom('topic').where(lower('name'), 'in', keys).select(['id', 'name']).execute()
  return new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]))
}

/** The ids of topics by name. Creates missing topics. */
const ensureTopics = async (ctx: Context, names: readonly string[]): Promise<readonly number[]> => {
  if (!names.length) return []
  const known = await findTopicIds(ctx, names)
  const missing = names.filter((name) => !known.has(name.toLowerCase()))
  if (!missing.length) return [...known.values()]
  await ctx.db
    .insertInto('topic')
    .values(
      missing.map(
        (name) =>
          ({
            name,
            title: name,
            description: null,
            avatarUrl: null,
            createdAt: ctx.now,
          }) satisfies CompleteRow<'topic'>,
      ),
    )
    .onConflict((on) => on.doNothing())
    .execute()
  return [...(await findTopicIds(ctx, names)).values()]
}

/** Copies the topics that a project lists in its settings. */
export async function syncProjectTopics(ctx: Context, projectId: number): Promise<void> {
  const names = normalizeNames(await readTagList(ctx, projectId))
  const ofProject = ctx.db.selectFrom('projectTopic').where('projectId', '=', projectId)
  const current = new Set((await ofProject.select('topicId').execute()).map(({ topicId }) => topicId))
  if (!names.length && !current.size) return
  const ids = new Set(await ensureTopics(ctx, names))
  const added = [...ids].filter((id) => !current.has(id))
  const removed = [...current].filter((id) => !ids.has(id))
  if (removed.length)
    await ctx.db.deleteFrom('projectTopic').where('projectId', '=', projectId).where('topicId', 'in', removed).execute()
  if (added.length)
    await ctx.db
      .insertInto('projectTopic')
      .values(added.map((topicId) => ({ projectId, topicId }) satisfies CompleteRow<'projectTopic'>))
      .execute()
}

/** Replaces a topic in the settings of all its projects, or removes it without a new name. */
export async function renameInProjects(
  ctx: Context,
  topic: { readonly id: number; readonly name: string },
  newName: string | undefined,
): Promise<void> {
  const projects = await ctx.db
    .selectFrom('projectTopic')
    .innerJoin('project', 'project.id', 'projectTopic.projectId')
    .where('projectTopic.topicId', '=', topic.id)
    .select(['project.id', 'project.settings'])
    .execute()
  for (const { id, settings } of projects) {
    const names = (settings?.tagList ?? []).flatMap((name) =>
      name.trim().toLowerCase() === topic.name.toLowerCase() ? (newName ?? []) : name,
    )
    const tagList = [...normalizeNames(names)]
    await ctx.db
      .updateTable('project')
      .set({ settings: { ...settings, tagList } })
      .where('id', '=', id)
      .execute()
    await syncProjectTopics(ctx, id)
  }
}
