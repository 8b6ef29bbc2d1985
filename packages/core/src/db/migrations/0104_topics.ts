import {
  cascadeReference,
  createCaseInsensitiveUniqueIndex,
  createTableWithId,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

/** Rows that one statement inserts, which keeps their parameters below the limits of both databases. */
const batchSize = 200

const readTagList = (settings: unknown): readonly string[] => {
  const value = typeof settings === 'string' ? JSON.parse(settings) : settings
  const { tagList } = (value ?? {}) as { tagList?: unknown }
  return Array.isArray(tagList) ? tagList.filter((name) => typeof name === 'string' && name.trim()) : []
}

/** Adds topics, those of existing projects with them. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'topic')
    .addColumn('name', 'text', notNull)
    .addColumn('title', 'text', notNull)
    .addColumn('description', 'text')
    .addColumn('created_at', 'text', notNull)
    .execute()
  await createCaseInsensitiveUniqueIndex(db, 'topic_name_key', 'topic', 'name').execute()
  await db.schema
    .createTable('project_topic')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('topic_id', 'bigint', cascadeReference('topic'))
    .addPrimaryKeyConstraint('project_topic_key', ['project_id', 'topic_id'])
    .execute()
  await db.schema.createIndex('project_topic_topic').on('project_topic').columns(['topic_id', 'project_id']).execute()

  const projects = await db.selectFrom('project').where('settings', 'is not', null).select(['id', 'settings']).execute()
  const names = new Map<string, string>()
  const links = projects.flatMap(({ id, settings }) =>
    [...new Set(readTagList(settings).map((name) => name.trim().toLowerCase()))].map((key) => ({ id, key })),
  )
  for (const { settings } of projects)
    for (const name of readTagList(settings)) names.set(name.trim().toLowerCase(), name.trim())
  const created_at = new Date().toISOString()
  const topics = [...names.values()].map((name) => ({ name, title: name, description: null, created_at }))
  for (let at = 0; at < topics.length; at += batchSize)
    await db
      .insertInto('topic')
      .values(topics.slice(at, at + batchSize))
      .execute()
  const rows = await db.selectFrom('topic').select(['id', 'name']).execute()
  const ids = new Map(rows.map(({ id, name }) => [String(name).toLowerCase(), id]))
  const pairs = links.map(({ id, key }) => ({ project_id: id, topic_id: ids.get(key) }))
  for (let at = 0; at < pairs.length; at += batchSize)
    await db
      .insertInto('project_topic')
      .values(pairs.slice(at, at + batchSize))
      .execute()
}
