import * as v from 'valibot'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { atLeastOne } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { escapeHtml } from '../../../ports/markdown/escape-html.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { createRenderer } from '../markdown/renderer.ts'
import { storeUpload, uploadInput } from '../uploads/store-upload.ts'
import { joinFrontMatter, splitFrontMatter } from './front-matter.ts'
import { assertSlugIsFree, getPage, selectPages, type WikiSubject, wikiKey } from './queries.ts'
import { wiki } from './subject.ts'
import { parseTitle } from './title.ts'
import { toWikiPage, type WikiAttachment, type WikiPage, wikiFormats } from './wiki-page.ts'

const Content = v.pipe(v.string(), v.maxLength(1_000_000))

/** Settings of a page. */
const FrontMatterInput = v.strictObject({
  /** Title that is shown instead of the name of the page. */
  title: v.optional(v.pipe(v.string(), v.maxLength(255))),
})

const slugInput = {
  /** Slug of the page, with its directories: `docs/Set-up`. */
  slug: v.pipe(v.string(), v.maxLength(1_024)),
}

/** Signals of changed pages are those of projects; nothing reacts to pages of groups. */
const emitChange = async (
  ctx: Context,
  subject: WikiSubject,
  action: 'created' | 'updated' | 'removed',
  { frontMatter: _frontMatter, ...page }: Required<WikiPage>,
) => {
  const { projectId } = wikiKey(subject)
  if (projectId !== null) await ctx.emit(`wikiPage.${action}`, { projectId, page })
}

/** @throws PlatformError `invalid` for a text that is larger than the limit of the settings */
const assertPageSize = async (ctx: Context, stored: string): Promise<void> => {
  const { wikiPageMaxContentBytes: limit } = await getSettings(ctx)
  const size = Buffer.byteLength(stored)
  if (size > limit) throw invalid({ content: [`is too long (${size} bytes). The maximum size is ${limit} bytes.`] })
}

export const wikis = {
  /** Lists the pages of a wiki, by slug. */
  list: query({
    on: wiki,
    can: 'wiki.read',
    input: {
      ...pagingEntries,
      /** Whether to include `content`. Default: false. */
      withContent: v.optional(v.boolean(), false),
    },
    run(ctx, { withContent, ...paging }, subject) {
      const rows = selectPages(ctx, subject).orderBy('slug').select(['id', 'slug', 'title', 'format'])
      return withContent
        ? paginate(rows.select('content'), paging, (row): WikiPage => toWikiPage(row))
        : paginate(rows, paging, (row): WikiPage => row)
    },
  }),

  /** Gets a page of a wiki. */
  get: query({
    on: wiki,
    can: 'wiki.read',
    input: {
      ...slugInput,
      /** Whether `content` is sanitized HTML. Texts that are not Markdown are shown as they were written. Default: false. */
      renderHtml: v.optional(v.boolean(), false),
      /** Earlier version of the page. No page has one, because only the current text is stored: `not_found`. */
      version: v.optional(v.string()),
    },
    async run(ctx, { slug, renderHtml, version }, subject): Promise<WikiPage | Deferred<WikiPage>> {
      const page = toWikiPage(await getPage(ctx, subject, slug))
      if (version !== undefined) throw notFound('Wiki Page')
      const home = subject.kind === 'wiki' ? subject.project : undefined
      if (!renderHtml) return page
      if (page.format !== 'markdown') return { ...page, content: `<pre>${escapeHtml(page.content)}</pre>` }
      const render = await createRenderer(ctx, home)
      return afterTransaction(async ({ read }): Promise<WikiPage> => {
        return { ...page, content: await render(read, page.content, 'platform') }
      })
    },
  }),

  /**
   * Creates a page.
   *
   * @throws PlatformError `invalid` if another page of the wiki has the slug of the title
   */
  create: command({
    on: wiki,
    can: 'wiki.write',
    serializes: 'project',
    input: {
      /** Title, 1 to 255 characters. A `/` separates directories: `docs/Set up`. */
      title: v.string(),
      /** Text of the page, at most 1,000,000 characters. */
      content: Content,
      /** Settings that are stored at the beginning of the text. Default: those that it begins with. */
      frontMatter: v.optional(FrontMatterInput),
      /** Markup language of the text. Default: `markdown`. */
      format: v.optional(v.picklist(wikiFormats), 'markdown'),
    },
    async run(ctx, { content, format, frontMatter, ...input }, subject): Promise<WikiPage> {
      const text = splitFrontMatter(content)
      const stored = frontMatter ? joinFrontMatter({ ...text.frontMatter, ...frontMatter }, text.content) : content
      await assertPageSize(ctx, stored)
      const values = { ...parseTitle(input.title), content: stored, format }
      await assertSlugIsFree(ctx, subject, values.slug)
      const { id } = await ctx.db
        .insertInto('wikiPage')
        .values({
          ...wikiKey(subject),
          ...values,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        } satisfies CompleteRow<'wikiPage'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      const page = toWikiPage({ id, ...values })
      await emitChange(ctx, subject, 'created', page)
      return page
    },
  }),

  /**
   * Changes a page; omitted fields stay unchanged. A new title is also a new slug.
   *
   * @throws PlatformError `invalid` if another page of the wiki has the slug of the title
   */
  update: command({
    on: wiki,
    can: 'wiki.write',
    serializes: 'project',
    input: {
      ...slugInput,
      /** New title, 1 to 255 characters. A `/` separates directories: `docs/Set up`. */
      title: v.optional(v.string()),
      /** New text of the page, at most 1,000,000 characters. */
      content: v.optional(Content),
      /** New settings at the beginning of the text; others stay, unless `content` begins with settings of its own. */
      frontMatter: v.optional(FrontMatterInput),
      /** Markup language of the text. */
      format: v.optional(v.picklist(wikiFormats)),
    },
    rules: [atLeastOne('content', 'title', 'format', 'frontMatter')],
    async run(ctx, { slug, title, content, format, frontMatter }, subject): Promise<WikiPage> {
      const { id, ...before } = await getPage(ctx, subject, slug)
      const old = splitFrontMatter(before.content)
      const text = content === undefined ? old : splitFrontMatter(content)
      const hasOwn = Object.keys(text.frontMatter).length > 0
      const settings = { ...(hasOwn ? text.frontMatter : old.frontMatter), ...frontMatter }
      const isUntouched = content === undefined && frontMatter === undefined
      const stored = isUntouched ? before.content : joinFrontMatter(settings, text.content)
      if (!isUntouched) await assertPageSize(ctx, stored)
      const values = {
        ...(title === undefined ? { title: before.title, slug } : parseTitle(title)),
        content: stored,
        format: format ?? before.format,
      }
      if (values.slug !== slug) await assertSlugIsFree(ctx, subject, values.slug)
      const page = toWikiPage({ id, ...values })
      if (await updateChanged(ctx, 'wikiPage', id, values)) await emitChange(ctx, subject, 'updated', page)
      return page
    },
  }),

  /** Removes a page. */
  remove: command({
    on: wiki,
    can: 'wiki.remove',
    serializes: 'project',
    input: slugInput,
    async run(ctx, { slug }, subject) {
      const page = await getPage(ctx, subject, slug)
      await assertRowUnmodified(ctx, 'wikiPage', page.id)
      await ctx.db.deleteFrom('wikiPage').where('id', '=', page.id).execute()
      await emitChange(ctx, subject, 'removed', toWikiPage(page))
    },
  }),

  /**
   * Stores a file for pages of the wiki of a project or a group, as a file of the project or group.
   *
   * @throws PlatformError `invalid` when it is larger than the setting `maxAttachmentSize`
   */
  attach: command({
    on: wiki,
    can: 'wiki.write',
    input: uploadInput,
    run: (ctx, input, subject) =>
      storeUpload(
        ctx,
        subject.kind === 'wiki' ? { ...subject, kind: 'project' } : { ...subject, kind: 'group' },
        input,
        (_ctx, { fileName, secret }): WikiAttachment => ({ fileName, filePath: `uploads/${secret}/${fileName}` }),
      ),
  }),
}
