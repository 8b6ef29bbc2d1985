import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { lower, matchesSearch } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { AvatarInput } from '../../accounts/avatars/avatar.ts'
import { setAvatar } from '../../accounts/avatars/mutations.ts'
import { renameInProjects } from './project-topics.ts'
import type { Topic } from './topic.ts'

const Name = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(255), v.regex(/^[^,\r\n]*$/, 'is invalid'))
const Title = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(255))
const Description = v.nullable(v.pipe(v.string(), v.maxLength(1_000_000)))

const topicReference = {
  /** Id of the topic. */
  topic: Id,
}

const selectTopics = (ctx: Context) =>
  ctx.db
    .selectFrom('topic')
    .select(['id', 'name', 'title', 'description', 'avatarUrl'])
    .select((eb) =>
      eb
        .selectFrom('projectTopic')
        .whereRef('projectTopic.topicId', '=', 'topic.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('totalProjectsCount'),
    )

type TopicRow = Awaited<ReturnType<ReturnType<typeof selectTopics>['executeTakeFirstOrThrow']>>

const toTopic = ({ totalProjectsCount, ...row }: TopicRow): Topic => ({
  ...row,
  totalProjectsCount: Number(totalProjectsCount),
})

const getTopic = async (ctx: Context, id: number): Promise<Topic> => {
  const row = await selectTopics(ctx).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Topic')
  return toTopic(row)
}

const assertNameIsFree = async (ctx: Context, name: string, ownId?: number): Promise<void> => {
  const other = await ctx.db
    .selectFrom('topic')
    .where(lower('name'), '=', name.toLowerCase())
    .select('id')
    .executeTakeFirst()
  if (other && other.id !== ownId) throw invalid({ name: ['has already been taken'] })
}

export const topics = {
  /** Lists topics, those with most projects first. */
  list: query({
    on: instance,
    can: 'topic.read',
    input: {
      ...pagingEntries,
      /** Words that the name or the title contains: at most 1,024 characters and 64 words. */
      search: v.optional(v.string(), ''),
      /** Only topics without projects. Default: false. */
      withoutProjects: v.optional(v.boolean(), false),
    },
    run(ctx, { search, withoutProjects, ...paging }) {
      let rows = selectTopics(ctx)
      const matches = matchesSearch(ctx.dialect, ['topic.name', 'topic.title'], parseSearchText(search))
      if (matches) rows = rows.where(matches)
      if (withoutProjects)
        rows = rows.where((eb) =>
          eb.not(
            eb.exists(
              eb.selectFrom('projectTopic').whereRef('projectTopic.topicId', '=', 'topic.id').select('projectId'),
            ),
          ),
        )
      return paginate(rows.orderBy('totalProjectsCount', 'desc').orderBy('id'), paging, toTopic)
    },
  }),

  /** Gets a topic. */
  get: query({ on: instance, can: 'topic.read', input: topicReference, run: (ctx, { topic }) => getTopic(ctx, topic) }),

  /** Creates a topic. Topics that a new or changed project lists are created without it. */
  create: command({
    on: instance,
    can: 'topic.manage',
    input: {
      /** Name by which projects refer to it, 1 to 255 characters without commas; unique regardless of case. */
      name: Name,
      /** Name for display, 1 to 255 characters. */
      title: Title,
      /** Text in Markdown, at most 1,000,000 characters; null for none. Default: none. */
      description: v.optional(Description, null),
      /** The picture as a file; null for none. Default: none. */
      avatar: AvatarInput,
    },
    async run(ctx, { avatar, ...input }) {
      await assertNameIsFree(ctx, input.name)
      const row = await ctx.db
        .insertInto('topic')
        .values({ ...input, avatarUrl: null, createdAt: ctx.now } satisfies CompleteRow<'topic'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      await setAvatar(ctx, 'topic', row.id, avatar)
      return getTopic(ctx, row.id)
    },
  }),

  /** Changes a topic; omitted fields stay unchanged. The projects of the topic list its new name. */
  update: command({
    on: instance,
    can: 'topic.manage',
    input: {
      ...topicReference,
      /** New name, 1 to 255 characters without commas; unique regardless of case. */
      name: v.optional(Name),
      /** Name for display, 1 to 255 characters. */
      title: v.optional(Title),
      /** Text in Markdown, at most 1,000,000 characters; null for none. */
      description: v.optional(Description),
      /** The picture as a file; null for none. */
      avatar: AvatarInput,
    },
    rules: [atLeastOne('name', 'title', 'description', 'avatar')],
    async run(ctx, { topic: id, avatar, ...change }) {
      const topic = await getTopic(ctx, id)
      if (change.name !== undefined) await assertNameIsFree(ctx, change.name, id)
      if (Object.values(change).some((value) => value !== undefined))
        await ctx.db.updateTable('topic').set(change).where('id', '=', id).execute()
      await setAvatar(ctx, 'topic', id, avatar)
      if (change.name !== undefined && change.name !== topic.name) await renameInProjects(ctx, topic, change.name)
      return getTopic(ctx, id)
    },
  }),

  /** Removes a topic, also from its projects. */
  remove: command({
    on: instance,
    can: 'topic.manage',
    input: topicReference,
    async run(ctx, { topic: id }) {
      await renameInProjects(ctx, await getTopic(ctx, id), undefined)
      await ctx.db.deleteFrom('topic').where('id', '=', id).execute()
    },
  }),

  /** Gives the projects of one topic another one, and removes the first one. */
  merge: command({
    on: instance,
    can: 'topic.manage',
    input: {
      /** Id of the topic to remove. */
      sourceTopicId: Id,
      /** Id of the topic that the projects get. */
      targetTopicId: Id,
    },
    async run(ctx, { sourceTopicId, targetTopicId }) {
      if (sourceTopicId === targetTopicId) throw invalid('The source topic and the target topic are identical')
      const [source, target] = [await getTopic(ctx, sourceTopicId), await getTopic(ctx, targetTopicId)]
      await renameInProjects(ctx, source, target.name)
      await ctx.db.deleteFrom('topic').where('id', '=', source.id).execute()
      return getTopic(ctx, target.id)
    },
  }),
}
