import * as v from 'valibot'
import { withGrants } from '../../../access/grants.ts'
import { visibilities } from '../../../access/levels.ts'
import { readableSnippets } from '../../../access/predicates.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { textUpTo } from '../../../kernel/text-limits.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { completeSnippets, findSnippet, snippetColumns, snippetRows } from './queries.ts'
import type { Snippet, SnippetContent, SnippetRecord, UserAgentDetail } from './snippet.ts'
import { ownSnippet, snippet, snippetContainer, snippetOrInstance, snippetOwner } from './subject.ts'

/** The default of GitLab's limit, 50 MiB. */
const Content = textUpTo(52_428_800)
const Description = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000))))

const VisibilityName = v.picklist(visibilities)

interface SnippetInput {
  readonly title?: string | undefined
  readonly fileName?: string | undefined
  readonly content?: string | undefined
}

const maxNameLength = 255
const isBlank = (text: string | undefined) => text?.trim() === ''
const isTooLong = (text: string | undefined) => text !== undefined && [...text].length > maxNameLength

/** Title and content are required, the file name is optional. */
const assertValidSnippet = ({ title, fileName, content }: SnippetInput): void => {
  const problems: Record<string, string[]> = {}
  const tooLong = [`is too long (maximum is ${maxNameLength} characters)`]
  if (isBlank(title)) problems.title = ["can't be blank"]
  if (isTooLong(title)) problems.title = tooLong
  if (isTooLong(fileName)) problems.fileName = tooLong
  if (isBlank(content)) problems.content = ["can't be blank"]
  if (Object.keys(problems).length) throw invalid(problems)
}

const changeableFields = ['title', 'fileName', 'content', 'visibility'] as const

/** A description counts as a change, but the error does not list it. */
const requireChange: InputRule<object> = (input) => {
  const problem = atLeastOne<Record<string, unknown>>(
    ...changeableFields,
    'description',
  )(input as Record<string, unknown>)
  return problem && { ...problem, fields: changeableFields }
}

const reload = async (ctx: Context, id: number): Promise<Snippet> => {
  const record = await findSnippet(ctx, id)
  const [complete] = record ? await completeSnippets(ctx, [record]) : []
  if (!complete) throw notFound('Snippet')
  return complete
}

const selectNewestFirst = (ctx: Context) =>
  snippetRows(ctx).orderBy('snippet.createdAt', 'desc').orderBy('snippet.id', 'desc').select(snippetColumns)

const recordOrigin = async (ctx: Context, snippetId: number): Promise<void> => {
  const { userAgent, ipAddress } = ctx.call
  if (userAgent === undefined && ipAddress === undefined) return
  await ctx.db
    .insertInto('snippetOrigin')
    .values({
      snippetId,
      userAgent: userAgent ?? '',
      ipAddress: ipAddress ?? '',
    } satisfies CompleteRow<'snippetOrigin'>)
    .execute()
}

/** @throws PlatformError `not_found` if the host did not pass them */
const readOrigin = async (ctx: Context, snippetId: number): Promise<UserAgentDetail> => {
  const origin = await ctx.db
    .selectFrom('snippetOrigin')
    .where('snippetId', '=', snippetId)
    .select(['userAgent', 'ipAddress'])
    .executeTakeFirst()
  if (!origin) throw notFound('UserAgentDetail')
  return { ...origin, akismetSubmitted: false }
}

/** The snippets that a list selects, newest first. */
const selectListed = async (ctx: Context, subject: Subjects['currentUser' | 'instance' | 'project']) => {
  const rows = selectNewestFirst(ctx)
  if (subject.kind === 'instance') {
    return rows.where('snippet.projectId', 'is', null).where('snippet.visibility', '=', 'public')
  }
  return subject.kind === 'project'
    ? rows.where('snippet.projectId', '=', subject.project.id).where(readableSnippets(await withGrants(ctx)))
    : rows.where('snippet.authorId', '=', getUserId(ctx.actor)).where(readableSnippets(ctx))
}

export const snippets = {
  /**
   * Lists the snippets of a project that the current user can read, the current user's snippets, personal ones and those of
   * readable projects, or the public personal snippets of all users; newest first.
   */
  list: query({
    on: snippetOwner,
    can: 'snippet.list',
    input: {
      ...pagingEntries,
      /** Only snippets created at this time or later; ISO 8601, UTC without an offset. */
      createdAfter: v.optional(Instant),
      /** Only snippets created at this time or earlier; ISO 8601, UTC without an offset. */
      createdBefore: v.optional(Instant),
    },
    async run(ctx, { createdAfter, createdBefore, ...paging }, subject): Promise<Page<Snippet>> {
      let rows = await selectListed(ctx, subject)
      if (createdAfter !== undefined) rows = rows.where('snippet.createdAt', '>=', normalizeInstant(createdAfter))
      if (createdBefore !== undefined) rows = rows.where('snippet.createdAt', '<=', normalizeInstant(createdBefore))
      const page = await paginate(rows, paging, (row): SnippetRecord => row)
      return { ...page, items: await completeSnippets(ctx, page.items) }
    },
  }),

  /** Gets a snippet, personal or of a project, without its content. */
  get: query({ on: snippet, can: 'snippet.read', run: (ctx, _input, { snippet }) => reload(ctx, snippet.id) }),

  /** Gets the content of a snippet, byte for byte as it was sent. */
  getRaw: query({
    on: snippet,
    can: 'snippet.read',
    run: (ctx, _input, { snippet }): Promise<SnippetContent> =>
      ctx.db
        .selectFrom('snippet')
        .where('id', '=', snippet.id)
        .select(['content', 'fileName'])
        .executeTakeFirstOrThrow(),
  }),

  /**
   * Gets the user agent and IP address of the request that created a snippet; for administrators. Fails with `not_found` if the
   * host did not pass them.
   */
  getUserAgent: query({
    on: snippetOrInstance,
    can: 'snippet.readUserAgent',
    input: {
      /** Id of the snippet. */
      snippet: Id,
    },
    async run(ctx, { snippet }) {
      if (!(await findSnippet(ctx, snippet))) throw notFound()
      return readOrigin(ctx, snippet)
    },
  }),

  /** Creates a personal snippet, or one of a project. */
  create: command({
    on: snippetContainer,
    can: 'snippet.create',
    input: {
      /** Title for display, 1 to 255 characters, not blank. */
      title: v.string(),
      /** File name, which determines the highlighting; at most 255 characters, empty for none. */
      fileName: v.string(),
      /** Text of the snippet, not blank. */
      content: Content,
      /** Text in Markdown, at most 1,000,000 characters; null for none. */
      description: Description,
      /**
       * `public`: everyone. `internal`: signed-in users who are not external. `private`: the author, and members of its
       * project. Default: the setting `defaultSnippetVisibility`.
       */
      visibility: v.optional(VisibilityName),
      /**
       * Id or username of the author. For the host application only, which must name one; users are the authors of
       * their snippets.
       */
      author: v.optional(v.union([v.number(), v.string()])),
    },
    async run(ctx, { author, description = null, ...fields }, container) {
      assertValidSnippet(fields)
      const visibility = fields.visibility ?? (await getSettings(ctx)).defaultSnippetVisibility
      const { id } = await ctx.db
        .insertInto('snippet')
        .values({
          ...fields,
          visibility,
          description,
          projectId: container.kind === 'project' ? container.project.id : null,
          authorId: await resolveAuthorId(ctx, author),
          createdAt: ctx.now,
          updatedAt: ctx.now,
        } satisfies CompleteRow<'snippet'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      await recordOrigin(ctx, id)
      return reload(ctx, id)
    },
  }),

  /** Changes a snippet of the current user; omitted fields keep their values, and at least one change is required. */
  update: command({
    on: ownSnippet,
    can: 'snippet.update',
    input: {
      /** New title, 1 to 255 characters, not blank. */
      title: v.optional(v.string()),
      /** New file name, at most 255 characters; empty for none. */
      fileName: v.optional(v.string()),
      /** New text of the snippet, not blank. */
      content: v.optional(Content),
      /** New text in Markdown, at most 1,000,000 characters; null removes it. */
      description: Description,
      /**
       * `public`: everyone. `internal`: signed-in users who are not external. `private`: the author, and members of its
       * project.
       */
      visibility: v.optional(VisibilityName),
    },
    rules: [requireChange],
    async run(ctx, change, { snippet }) {
      assertValidSnippet(change)
      await updateChanged(ctx, 'snippet', snippet.id, change)
      return reload(ctx, snippet.id)
    },
  }),

  /** Removes a snippet of the current user with its notes. */
  remove: command({
    on: ownSnippet,
    can: 'snippet.update',
    async run(ctx, _input, { snippet }) {
      assertUnmodified(ctx, snippet.updatedAt)
      await ctx.db.deleteFrom('snippet').where('id', '=', snippet.id).execute()
    },
  }),
}
