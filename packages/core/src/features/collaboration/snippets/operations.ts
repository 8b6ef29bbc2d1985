import { isDeepStrictEqual } from 'node:util'
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
import { getSettings } from '../../administration/settings/queries.ts'
import { assertUnrestricted, chooseVisibility } from '../../administration/settings/restricted-visibility.ts'
import { assertNotSpam } from '../../administration/settings/spam-check.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import {
  applyActions,
  assertSnippetSize,
  assertValidFiles,
  Content,
  FileActions,
  NewFiles,
  readFile,
  readFiles,
  replaceOtherFiles,
} from './files.ts'
import { completeSnippets, findSnippet, snippetColumns, snippetRows } from './queries.ts'
import type { Snippet, SnippetContent, SnippetRecord, UserAgentDetail } from './snippet.ts'
import { ownSnippet, snippet, snippetContainer, snippetOrInstance, snippetOwner } from './subject.ts'

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

/** The first file is described by a name and a content, or by the first of `files`. */
const eitherFilesOrContent: InputRule<SnippetInput & { readonly files?: unknown }> = ({ files, fileName, content }) =>
  files !== undefined && (fileName !== undefined || content !== undefined)
    ? { fields: ['files', 'fileName', 'content'], message: 'are mutually exclusive' }
    : undefined

const requiredWithoutFiles =
  (field: 'fileName' | 'content'): InputRule<SnippetInput & { readonly files?: unknown }> =>
  (input) =>
    input.files === undefined && input[field] === undefined ? { fields: [field], message: 'is missing' } : undefined

/** Files and a description count as a change, but the error does not list them. */
const requireChange: InputRule<object> = (input) => {
  const problem = atLeastOne<Record<string, unknown>>(
    ...changeableFields,
    'files',
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
const selectListed = async (
  ctx: Context,
  subject: Subjects['currentUser' | 'instance' | 'project'],
  isAll: boolean,
) => {
  const rows = selectNewestFirst(ctx)
  if (isAll) return rows.where(readableSnippets(await withGrants(ctx)))
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
   * readable projects, the public personal snippets of all users, or all that the current user can read; newest first.
   */
  list: query({
    on: snippetOwner,
    can: 'snippet.list',
    input: {
      ...pagingEntries,
      /** Whether to list all snippets that the current user can read. Default: false. */
      all: v.optional(v.boolean(), false),
      /** Only snippets created at this time or later; ISO 8601, UTC without an offset. */
      createdAfter: v.optional(Instant),
      /** Only snippets created at this time or earlier; ISO 8601, UTC without an offset. */
      createdBefore: v.optional(Instant),
    },
    rules: [
      ({ all, project, public: isPublic }: Readonly<Record<string, unknown>>) =>
        all === true && (project !== undefined || isPublic === true)
          ? { fields: ['all'], message: 'cannot be used with project and public' }
          : undefined,
    ],
    async run(ctx, { all, createdAfter, createdBefore, ...paging }, subject): Promise<Page<Snippet>> {
      let rows = await selectListed(ctx, subject, all)
      if (createdAfter !== undefined) rows = rows.where('snippet.createdAt', '>=', normalizeInstant(createdAfter))
      if (createdBefore !== undefined) rows = rows.where('snippet.createdAt', '<=', normalizeInstant(createdBefore))
      const page = await paginate(rows, paging, (row): SnippetRecord => row)
      return { ...page, items: await completeSnippets(ctx, page.items) }
    },
  }),

  /** Gets a snippet, personal or of a project, without its content. */
  get: query({ on: snippet, can: 'snippet.read', run: (ctx, _input, { snippet }) => reload(ctx, snippet.id) }),

  /** Gets the content of a file of a snippet, byte for byte as it was sent. */
  getRaw: query({
    on: snippet,
    can: 'snippet.read',
    input: {
      /** Path of the file. Default: the first one. */
      filePath: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Revision of the file: `main` or `HEAD`, because only the current one is stored. Default: `main`. */
      ref: v.optional(v.string(), 'main'),
    },
    async run(ctx, { filePath, ref }, { snippet }): Promise<SnippetContent> {
      const file = await readFile(ctx, snippet, filePath)
      if (!file || !['main', 'HEAD'].includes(ref)) throw notFound('File')
      return { content: file.content, fileName: filePath === undefined ? snippet.fileName : file.path }
    },
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
      /** Name of the only file, which determines the highlighting; at most 255 characters, empty for none. Required without `files`. */
      fileName: v.optional(v.string()),
      /** Text of the only file, not blank. Required without `files`. */
      content: v.optional(Content),
      /** The files, at most 10, instead of `fileName` and `content`. */
      files: v.optional(NewFiles),
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
    rules: [eitherFilesOrContent, requiredWithoutFiles('fileName'), requiredWithoutFiles('content')],
    async run(ctx, { author, description = null, files, ...fields }, container) {
      const all = files?.map(({ filePath: path, content }) => ({ path, content }))
      if (all) assertValidFiles(all)
      const [first, ...others] = all ?? [{ path: fields.fileName ?? '', content: fields.content ?? '' }]
      const { path: fileName = '', content = '' } = first ?? {}
      assertValidSnippet({ ...fields, fileName, content })
      const texts = [content, ...others.map((file) => file.content)]
      await assertSnippetSize(ctx, texts)
      await assertNotSpam(ctx, {
        kind: 'snippet',
        text: [fields.title, description, ...texts].filter(Boolean).join('\n\n'),
      })
      const visibility = await chooseVisibility(
        ctx,
        fields.visibility,
        (await getSettings(ctx)).defaultSnippetVisibility,
      )
      const { id } = await ctx.db
        .insertInto('snippet')
        .values({
          title: fields.title,
          fileName,
          content,
          visibility,
          description,
          projectId: container.kind === 'project' ? container.project.id : null,
          authorId: await resolveAuthorId(ctx, author),
          createdAt: ctx.now,
          updatedAt: ctx.now,
        } satisfies CompleteRow<'snippet'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      await replaceOtherFiles(ctx, id, others)
      await recordOrigin(ctx, id)
      return reload(ctx, id)
    },
  }),

  /** Changes a snippet of the current user, or one of a project that the user maintains; omitted fields keep their values, and at least one change is required. */
  update: command({
    on: ownSnippet,
    can: 'snippet.update',
    input: {
      /** New title, 1 to 255 characters, not blank. */
      title: v.optional(v.string()),
      /** New name of the only file, at most 255 characters; empty for none. */
      fileName: v.optional(v.string()),
      /** New text of the only file, not blank. */
      content: v.optional(Content),
      /** Changes of the files, one after another. Required instead of `fileName` and `content` if there are several. */
      files: v.optional(FileActions),
      /** New text in Markdown, at most 1,000,000 characters; null removes it. */
      description: Description,
      /**
       * `public`: everyone. `internal`: signed-in users who are not external. `private`: the author, and members of its
       * project.
       */
      visibility: v.optional(VisibilityName),
    },
    rules: [requireChange, eitherFilesOrContent],
    async run(ctx, { files: actions, ...change }, { snippet }) {
      assertValidSnippet(change)
      if (change.visibility !== snippet.visibility) await assertUnrestricted(ctx, change.visibility)
      const isNamed = change.fileName !== undefined || change.content !== undefined
      const before = actions || isNamed ? await readFiles(ctx, snippet.id) : []
      if (isNamed && before.length > 1) throw invalid({ files: ['must be used: the snippet has several files'] })
      const [first, ...others] = actions ? applyActions(before, actions) : []
      // A first file without a name keeps none until it is moved.
      const name = first && (first.path === before[0]?.path ? snippet.fileName : first.path)
      const changes = first ? { ...change, fileName: name, content: first.content } : change
      if (changes.content !== undefined)
        await assertSnippetSize(ctx, [changes.content, ...others.map((file) => file.content)])
      const isChanged = actions !== undefined && !isDeepStrictEqual(others, before.slice(1))
      if (isChanged) await replaceOtherFiles(ctx, snippet.id, others)
      await updateChanged(ctx, 'snippet', snippet.id, { ...changes, ...(isChanged && { updatedAt: ctx.now }) })
      return reload(ctx, snippet.id)
    },
  }),

  /** Removes a snippet of the current user, or one of a project that the user maintains, with its notes. */
  remove: command({
    on: ownSnippet,
    can: 'snippet.update',
    async run(ctx, _input, { snippet }) {
      assertUnmodified(ctx, snippet.updatedAt)
      await ctx.db.deleteFrom('snippet').where('id', '=', snippet.id).execute()
    },
  }),
}
