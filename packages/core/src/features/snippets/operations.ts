import * as v from 'valibot'
import { visibilities } from '../../access/levels.ts'
import { readableSnippets } from '../../access/predicates.ts'
import { instance } from '../../access/subjects.ts'
import { personId } from '../../kernel/actor.ts'
import { refuseModified } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { atLeastOne, Id } from '../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../kernel/operation.ts'
import { type Page, paginate, paging } from '../../kernel/paging.ts'
import { userIdOf } from '../issuables/author.ts'
import { settingsInForce } from '../settings/queries.ts'
import { completeSnippets, findSnippet, snippetColumns, snippetRows } from './queries.ts'
import type { Snippet, SnippetContent, SnippetRecord, UserAgentDetail } from './snippet.ts'
import { ownSnippet, snippet, snippetPlace } from './subject.ts'

const Description = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000))))

const VisibilityName = v.picklist(visibilities)

interface Given {
  readonly title?: string | undefined
  readonly fileName?: string | undefined
  readonly content?: string | undefined
}

const longestName = 255
const blank = (text: string | undefined) => text?.trim() === ''
const tooLong = (text: string | undefined) => text !== undefined && [...text].length > longestName

/** A title and a content are needed, a file name is not; names are short. */
const refuseBadSnippet = ({ title, fileName, content }: Given): void => {
  const problems: Record<string, string[]> = {}
  const long = [`is too long (maximum is ${longestName} characters)`]
  if (blank(title)) problems.title = ["can't be blank"]
  if (tooLong(title)) problems.title = long
  if (tooLong(fileName)) problems.fileName = long
  if (blank(content)) problems.content = ["can't be blank"]
  if (Object.keys(problems).length) throw invalid(problems)
}

const changeable = ['title', 'fileName', 'content', 'visibility'] as const

/** A description counts as a change, although the complaint does not speak of it. */
const somethingChanges: InputRule<object> = (input) => {
  const complaint = atLeastOne<Record<string, unknown>>(...changeable, 'description')(input as Record<string, unknown>)
  return complaint && { ...complaint, fields: changeable }
}

const reload = async (ctx: Context, id: number): Promise<Snippet> => {
  const record = await findSnippet(ctx, id)
  const [complete] = record ? await completeSnippets(ctx, [record]) : []
  if (!complete) throw notFound('Snippet')
  return complete
}

const newestFirst = (ctx: Context) =>
  snippetRows(ctx).orderBy('snippet.createdAt', 'desc').orderBy('snippet.id', 'desc').select(snippetColumns)

const snippetPage = async (
  ctx: Context,
  rows: ReturnType<typeof newestFirst>,
  at: { page: number; perPage: number },
): Promise<Page<Snippet>> => {
  const page = await paginate(rows, at, (row): SnippetRecord => row)
  return { ...page, items: await completeSnippets(ctx, page.items) }
}

const recordOrigin = async (ctx: Context, snippetId: number): Promise<void> => {
  const { userAgent, address } = ctx.call
  if (userAgent === undefined && address === undefined) return
  await ctx.db
    .insertInto('snippetOrigin')
    .values({ snippetId, userAgent: userAgent ?? '', ipAddress: address ?? '' })
    .execute()
}

export const snippets = {
  /** The caller's own snippets, personal and of projects that they still see, newest first. */
  list: query({
    on: instance,
    can: 'snippet.list',
    input: paging,
    run: (ctx, at) =>
      snippetPage(
        ctx,
        newestFirst(ctx).where('snippet.authorId', '=', personId(ctx.actor)).where(readableSnippets(ctx)),
        at,
      ),
  }),

  /** Public personal snippets of everybody, newest first. */
  listPublic: query({
    on: instance,
    can: 'snippet.listPublic',
    input: paging,
    run: (ctx, at) =>
      snippetPage(
        ctx,
        newestFirst(ctx).where('snippet.projectId', 'is', null).where('snippet.visibility', '=', 'public'),
        at,
      ),
  }),

  /** One snippet. */
  get: query({ on: snippet, can: 'snippet.read', run: (ctx, _input, { snippet }) => reload(ctx, snippet.id) }),

  /** The text of a snippet, as it was given. */
  raw: query({
    on: snippet,
    can: 'snippet.read',
    run: (ctx, _input, { snippet }): Promise<SnippetContent> =>
      ctx.db
        .selectFrom('snippet')
        .where('id', '=', snippet.id)
        .select(['content', 'fileName'])
        .executeTakeFirstOrThrow(),
  }),

  /** Where the call came from that created a snippet. */
  userAgentDetail: query({
    on: instance,
    can: 'snippet.trace',
    input: { snippet: Id },
    async run(ctx, { snippet }): Promise<UserAgentDetail> {
      if (!(await findSnippet(ctx, snippet))) throw notFound()
      const origin = await ctx.db
        .selectFrom('snippetOrigin')
        .where('snippetId', '=', snippet)
        .select(['userAgent', 'ipAddress'])
        .executeTakeFirst()
      if (!origin) throw notFound('UserAgentDetail')
      return { ...origin, akismetSubmitted: false }
    },
  }),

  /**
   * Adds a snippet: the caller's own, or one of a project. Without a visibility it has the one that the settings give to
   * new snippets: `private` unless administrators say otherwise (specification 2, "Application settings").
   */
  create: command({
    on: snippetPlace,
    can: 'snippet.create',
    input: {
      title: v.string(),
      fileName: v.string(),
      content: v.string(),
      description: Description,
      visibility: v.optional(VisibilityName),
      /** Only for the host application: whose it is. */
      author: v.optional(v.union([v.number(), v.string()])),
    },
    async run(ctx, { author, description = null, ...given }, place) {
      refuseBadSnippet(given)
      const visibility = given.visibility ?? (await settingsInForce(ctx)).defaultSnippetVisibility
      const [row] = await ctx.db
        .insertInto('snippet')
        .values({
          ...given,
          visibility,
          description,
          projectId: place.kind === 'project' ? place.project.id : null,
          authorId: await userIdOf(ctx, author),
          createdAt: ctx.now,
          updatedAt: ctx.now,
        })
        .returning('id')
        .execute()
      const { id } = row as { id: number }
      await recordOrigin(ctx, id)
      return reload(ctx, id)
    },
  }),

  /** Changes a snippet of the caller's own. */
  update: command({
    on: ownSnippet,
    can: 'snippet.update',
    input: {
      title: v.optional(v.string()),
      fileName: v.optional(v.string()),
      content: v.optional(v.string()),
      description: Description,
      visibility: v.optional(VisibilityName),
    },
    rules: [somethingChanges],
    async run(ctx, change, { snippet }) {
      refuseBadSnippet(change)
      await ctx.db
        .updateTable('snippet')
        .set({ ...change, updatedAt: ctx.now })
        .where('id', '=', snippet.id)
        .execute()
      return reload(ctx, snippet.id)
    },
  }),

  /** Removes a snippet of the caller's own with its notes. */
  remove: command({
    on: ownSnippet,
    can: 'snippet.update',
    async run(ctx, _input, { snippet }) {
      refuseModified(ctx, snippet.updatedAt)
      await ctx.db.deleteFrom('snippet').where('id', '=', snippet.id).execute()
    },
  }),
}
