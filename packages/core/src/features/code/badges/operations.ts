import * as v from 'valibot'
import { container } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { forbidden, invalid, notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { webUrlProblem } from '../../administration/settings/web-url.ts'
import { containerKey } from '../../spaces/members/queries.ts'
import type { Badge, BadgePreview } from './badge.ts'
import { createRenderer, readPlaceholders, withoutPlaceholders } from './placeholders.ts'

type Subject = Subjects['project'] | Subjects['group']

const Url = v.pipe(v.string(), v.maxLength(2_000))
const Name = v.nullable(v.pipe(v.string(), v.maxLength(255)))

const badgeReference = {
  /** Id of the badge. */
  badge: Id,
}

const urlInput = {
  /** Address of the link, with HTTP or HTTPS; it can contain placeholders such as `%{project_path}`. */
  linkUrl: Url,
  /** Address of the image, with HTTP or HTTPS; it can contain placeholders such as `%{project_path}`. */
  imageUrl: Url,
}

interface Urls {
  readonly linkUrl?: string | undefined
  readonly imageUrl?: string | undefined
}

const assertValidUrls = (urls: Urls): void => {
  const problems: Record<string, string[]> = {}
  for (const field of ['linkUrl', 'imageUrl'] as const) {
    const url = urls[field]
    const problem = url === undefined ? undefined : webUrlProblem(withoutPlaceholders(url))
    if (problem) problems[field] = [`is blocked: ${problem}`]
  }
  if (Object.keys(problems).length) throw invalid(problems)
}

/** The badges of a group, or those of a project with those of all groups above it. */
const selectBadges = (ctx: Context, subject: Subject) => {
  const rows = ctx.db.selectFrom('badge').select(['id', 'projectId', 'name', 'linkUrl', 'imageUrl'])
  if (subject.kind === 'group') return rows.where('groupId', '=', subject.group.id)
  const { id, namespaceId } = subject.project
  const groups = ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId')
  return rows.where((eb) => eb.or([eb('projectId', '=', id), eb('groupId', 'in', groups)]))
}

type BadgeRow = Awaited<ReturnType<ReturnType<typeof selectBadges>['executeTakeFirstOrThrow']>>

const getBadge = async (ctx: Context, subject: Subject, id: number): Promise<BadgeRow> => {
  const row = await selectBadges(ctx, subject).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Badge')
  return row
}

/** A badge that belongs to the project or group itself. */
const getOwnBadge = async (ctx: Context, subject: Subject, id: number): Promise<BadgeRow> => {
  const row = await getBadge(ctx, subject, id)
  if (subject.kind === 'project' && row.projectId === null)
    throw forbidden('The badge belongs to a group and can only be changed there')
  return row
}

const toBadge =
  (render: (url: string) => string) =>
  (row: BadgeRow): Badge => ({
    id: row.id,
    name: row.name,
    linkUrl: row.linkUrl,
    imageUrl: row.imageUrl,
    renderedLinkUrl: render(row.linkUrl),
    renderedImageUrl: render(row.imageUrl),
    kind: row.projectId === null ? 'group' : 'project',
  })

const urlsOf = (rows: readonly { readonly linkUrl: string; readonly imageUrl: string }[]) =>
  rows.flatMap(({ linkUrl, imageUrl }) => [linkUrl, imageUrl])

const renderBadge = async (ctx: Context, subject: Subject, row: BadgeRow): Promise<Deferred<Badge>> => {
  const found = await readPlaceholders(ctx, subject)
  return afterTransaction(async () => toBadge(await createRenderer(found, urlsOf([row])))(row))
}

export const badges = {
  /** Lists the badges of a group, or those of a project and of the groups above it, oldest first. */
  list: query({
    on: container,
    can: 'badge.read',
    input: {
      ...pagingEntries,
      /** Only badges with this name; case-sensitive. */
      name: v.optional(v.string()),
    },
    async run(ctx, { name, ...paging }, subject) {
      let rows = selectBadges(ctx, subject)
      if (name !== undefined) rows = rows.where('name', '=', name)
      const page = await paginate(rows.orderBy('id'), paging, (row): BadgeRow => row)
      const found = await readPlaceholders(ctx, subject)
      return afterTransaction(async (): Promise<Page<Badge>> => {
        const render = await createRenderer(found, urlsOf(page.items))
        return { ...page, items: page.items.map(toBadge(render)) }
      })
    },
  }),

  /** Gets a badge of a group, or one of a project or a group above it. */
  get: query({
    on: container,
    can: 'badge.read',
    input: badgeReference,
    run: async (ctx, { badge }, subject) => renderBadge(ctx, subject, await getBadge(ctx, subject, badge)),
  }),

  /** Replaces the placeholders of addresses, without adding a badge. */
  render: query({
    on: container,
    can: 'badge.manage',
    input: urlInput,
    async run(ctx, urls, subject) {
      assertValidUrls(urls)
      const found = await readPlaceholders(ctx, subject)
      return afterTransaction(async (): Promise<BadgePreview> => {
        const render = await createRenderer(found, urlsOf([urls]))
        return { ...urls, renderedLinkUrl: render(urls.linkUrl), renderedImageUrl: render(urls.imageUrl) }
      })
    },
  }),

  /** Creates a badge. */
  create: command({
    on: container,
    can: 'badge.manage',
    serializes: 'project',
    input: {
      ...urlInput,
      /** Name, at most 255 characters; null for none. Default: none. */
      name: v.optional(Name, null),
    },
    async run(ctx, { name, ...urls }, subject) {
      assertValidUrls(urls)
      const values = { ...containerKey(subject), ...urls, name }
      const row = await ctx.db
        .insertInto('badge')
        .values({ ...values, createdAt: ctx.now } satisfies CompleteRow<'badge'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return renderBadge(ctx, subject, { ...values, id: row.id })
    },
  }),

  /** Changes a badge; omitted fields stay unchanged. Fails with `forbidden` for a badge of a group above the project. */
  update: command({
    on: container,
    can: 'badge.manage',
    serializes: 'project',
    input: {
      ...badgeReference,
      /** Address of the link, with HTTP or HTTPS; it can contain placeholders such as `%{project_path}`. */
      linkUrl: v.optional(Url),
      /** Address of the image, with HTTP or HTTPS; it can contain placeholders such as `%{project_path}`. */
      imageUrl: v.optional(Url),
      /** Name, at most 255 characters; null for none. */
      name: v.optional(Name),
    },
    rules: [atLeastOne('linkUrl', 'imageUrl', 'name')],
    async run(ctx, { badge, ...change }, subject) {
      assertValidUrls(change)
      const { id } = await getOwnBadge(ctx, subject, badge)
      await ctx.db.updateTable('badge').set(change).where('id', '=', id).execute()
      return renderBadge(ctx, subject, await getBadge(ctx, subject, id))
    },
  }),

  /** Removes a badge. Fails with `forbidden` for a badge of a group above the project. */
  remove: command({
    on: container,
    can: 'badge.manage',
    serializes: 'project',
    input: badgeReference,
    async run(ctx, { badge }, subject) {
      const { id } = await getOwnBadge(ctx, subject, badge)
      await ctx.db.deleteFrom('badge').where('id', '=', id).execute()
    },
  }),
}
