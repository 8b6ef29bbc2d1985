import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred, type TransactionRunner } from '../../../kernel/deferred.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id, IdOrName, Instant, mutuallyExclusive, normalizeInstant, Sort } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { openRepository } from '../../code/repository/opened-repository.ts'
import { createRenderer } from '../../collaboration/markdown/renderer.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { findMilestone } from '../../planning/milestones/queries.ts'
import { insertLink } from '../release-links/mutations.ts'
import { ensureTag } from './ensure-tag.ts'
import {
  assertMayRelease,
  completeReleases,
  findManagedRelease,
  findRelease,
  selectReleases,
  withCommits,
} from './queries.ts'
import {
  type LatestReleaseLocation,
  linkTypes,
  type Release,
  type ReleaseRecord,
  type ReleaseWithoutCommit,
  validateLink,
} from './release.ts'

const Tag = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const Text = v.pipe(v.string(), v.maxLength(1_000_000))

const Link = v.strictObject({
  /** Text of the link, unique within the release. */
  name: v.string(),
  /** Address of the asset: `http`, `https` or `ftp`, unique within the release. */
  url: v.string(),
  /** Kind of the asset: `runbook`, `image`, `package`, or `other` (the default). */
  linkType: v.optional(v.picklist(linkTypes)),
  /** Path of a permanent URL that redirects to the asset, such as `/bin/tool`. Default: none. */
  filepath: v.optional(v.string()),
  /** The newer name of `filepath`, with precedence. */
  directAssetPath: v.optional(v.string()),
})

/** Loads a release with all its parts. The commit is read from the repository after the transaction. */
type ReleaseSignal = 'release.created' | 'release.updated' | 'release.removed'

const announceReleases = async (ctx: Context, signal: ReleaseSignal, releases: readonly ReleaseWithoutCommit[]) => {
  for (const release of releases) await ctx.emit(signal, { release })
}

const readRelease = async (
  ctx: Context,
  subject: Subjects['project'],
  record: ReleaseRecord,
  signal?: ReleaseSignal,
): Promise<Deferred<Release>> => {
  const opened = await openRepository(ctx, subject)
  const releases = await completeReleases(ctx, subject.project, [record])
  if (signal) await announceReleases(ctx, signal, releases)
  return afterTransaction(async () => defined((await withCommits(opened, releases))[0]))
}

/** Adds the release notes as HTML, if they are requested. Call it outside transactions. */
const createHtmlAdder = async (ctx: Context, { project }: Subjects['project'], isRequested: boolean) => {
  const render = isRequested ? await createRenderer(ctx, project) : undefined
  return async ({ read }: TransactionRunner, releases: readonly Release[]): Promise<Release[]> => {
    const withHtml: Release[] = []
    for (const release of releases) {
      const descriptionHtml = render && (await render(read, release.description ?? '', 'platform'))
      withHtml.push({ ...release, ...(descriptionHtml !== undefined && { descriptionHtml }) })
    }
    return withHtml
  }
}

/** Finds milestones of the project and its ancestor groups by title or id. */
const findMilestoneIds = async (ctx: Context, { project }: Subjects['project'], references: MilestoneReferences) => {
  const ids = new Set<number>()
  for (const title of references.milestones ?? []) ids.add((await findMilestone(ctx, project, title)).id)
  for (const id of references.milestoneIds ?? []) ids.add((await findMilestone(ctx, project, id)).id)
  return [...ids]
}

const setMilestones = async (ctx: Context, releaseId: number, ids: readonly number[]) => {
  await ctx.db.deleteFrom('releaseMilestone').where('releaseId', '=', releaseId).execute()
  if (!ids.length) return
  const rows = ids.map((milestoneId) => ({ releaseId, milestoneId }) satisfies CompleteRow<'releaseMilestone'>)
  await ctx.db.insertInto('releaseMilestone').values(rows).execute()
}

const assertNotReleased = async (ctx: Context, projectId: number, tag: string) => {
  const existing = await selectReleases(ctx, projectId).where('release.tag', '=', tag).executeTakeFirst()
  if (existing !== undefined) throw conflict('Release already exists')
}

const readTagger = async (ctx: Context, id: number) => {
  const rows = ctx.db.selectFrom('user').where('id', '=', id).select(['id', 'name', 'email'])
  return { ...(await rows.executeTakeFirstOrThrow()), date: ctx.now }
}

const findLatest = async (ctx: Context, projectId: number) => {
  const record = await selectReleases(ctx, projectId)
    .where('release.releasedAt', '<=', ctx.now)
    .orderBy('release.releasedAt', 'desc')
    .orderBy('release.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!record) throw notFound('Release')
  return record
}

const isRelativePath = (path: string) => path.split('/').every((part) => !['', '.', '..'].includes(part))
const RelativePath = v.pipe(v.string(), v.maxLength(1_024), v.check(isRelativePath, 'is invalid'))

const Titles = v.pipe(v.array(v.string()), v.maxLength(100))

const htmlInput = {
  /** Whether to return the release notes as HTML, too. */
  includeHtmlDescription: v.optional(v.boolean(), false),
}

const milestoneIdsInput = {
  /** Ids of milestones of the project or of groups above it, at most 100, instead of `milestones`. */
  milestoneIds: v.optional(v.pipe(v.array(Id), v.maxLength(100))),
}

interface MilestoneReferences {
  readonly milestones?: readonly string[] | undefined
  readonly milestoneIds?: readonly number[] | undefined
}

export const releases = {
  /** Lists releases of a project, by default those released last first. */
  list: query({
    on: project,
    can: 'release.read',
    scopes: ['job_token'],
    input: {
      ...pagingEntries,
      /** The time by which the list is sorted; equal times by id. */
      orderBy: v.optional(v.picklist(['released_at', 'created_at']), 'released_at'),
      /** Only releases that were changed at this time or later; ISO 8601, UTC without an offset. */
      updatedAfter: v.optional(Instant),
      /** Only releases that were changed at this time or earlier; ISO 8601, UTC without an offset. */
      updatedBefore: v.optional(Instant),
      /** `asc` lists the oldest first, `desc` the newest. */
      sort: v.optional(Sort, 'desc'),
      ...htmlInput,
    },
    async run(ctx, { orderBy, sort, includeHtmlDescription, updatedAfter, updatedBefore, ...paging }, subject) {
      const addHtml = await createHtmlAdder(ctx, subject, includeHtmlDescription)
      const opened = await openRepository(ctx, subject)
      const rows = selectReleases(ctx, subject.project.id)
        .$if(updatedAfter !== undefined, (found) =>
          found.where('release.updatedAt', '>=', normalizeInstant(updatedAfter ?? '')),
        )
        .$if(updatedBefore !== undefined, (found) =>
          found.where('release.updatedAt', '<=', normalizeInstant(updatedBefore ?? '')),
        )
        .orderBy(orderBy === 'released_at' ? 'release.releasedAt' : 'release.createdAt', sort)
        .orderBy('release.id', sort)
      const page = await paginate(rows, paging, (row): ReleaseRecord => row)
      const items = await completeReleases(ctx, subject.project, page.items)
      return afterTransaction(
        async (runner): Promise<Page<Release>> => ({
          ...page,
          items: await addHtml(runner, await withCommits(opened, items)),
        }),
      )
    },
  }),

  /** Gets a release, by its tag. */
  get: query({
    on: project,
    can: 'release.read',
    scopes: ['job_token'],
    input: {
      /** Tag of the release, 1 to 255 characters. */
      tagName: Tag,
      ...htmlInput,
    },
    async run(ctx, { tagName, includeHtmlDescription }, subject) {
      const addHtml = await createHtmlAdder(ctx, subject, includeHtmlDescription)
      const [release] = await completeReleases(ctx, subject.project, [
        await findRelease(ctx, subject.project.id, tagName),
      ])
      const opened = await openRepository(ctx, subject)
      return afterTransaction(
        async (runner): Promise<Release> =>
          defined((await addHtml(runner, await withCommits(opened, [defined(release)])))[0]),
      )
    },
  }),

  /** Gets the newest release that is already available. Fails with `not_found` for a project without one. */
  getLatest: query({
    on: project,
    can: 'release.read',
    async run(ctx, _input, subject) {
      return readRelease(ctx, subject, await findLatest(ctx, subject.project.id))
    },
  }),

  /**
   * Finds the newest release that is already available, for the address of a part of it. Fails with `not_found` for a project
   * without one.
   */
  getLatestLocation: query({
    on: project,
    can: 'release.read',
    scopes: ['job_token'],
    input: {
      /** Path below the release, such as `downloads/bin/tool`. */
      suffixPath: RelativePath,
    },
    async run(ctx, { suffixPath }, { project: { id } }): Promise<LatestReleaseLocation> {
      const record = await findLatest(ctx, id)
      return { projectId: id, tagName: record.tag, suffixPath }
    },
  }),

  /**
   * Creates a release of a tag, with notes and links. A missing tag is created at `ref`.
   *
   * @throws PlatformError `conflict` when the tag has a release, `unprocessable` when tag and `ref` are both missing
   */
  create: command({
    on: project,
    can: 'release.manage',
    scopes: ['job_token'],
    input: {
      /** Tag to release, 1 to 255 characters. A missing tag is created at `ref`. */
      tagName: Tag,
      /** Title of the release, at most 255 characters. Default: the tag. */
      name: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Release notes in Markdown, at most 1,000,000 characters; null or omitted for none. */
      description: v.optional(v.nullable(Text)),
      /**
       * Branch, tag or commit SHA at which a missing tag is created; ignored for an existing tag. At most 1,024
       * characters.
       */
      ref: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
      /** Message of a new tag, which makes it an annotated tag. Ignored for an existing tag. */
      tagMessage: v.optional(Text),
      /** When the release is or will be available: ISO 8601; UTC if it has no offset. Default: now. */
      releasedAt: v.optional(Instant),
      /** Titles of milestones of the project or of groups above it, at most 100. */
      milestones: v.optional(Titles),
      ...milestoneIdsInput,
      /** Files of the release, in addition to the source archives. */
      assets: v.optional(
        v.strictObject({
          /** Links to external assets, at most 1,000. */
          links: v.optional(v.pipe(v.array(Link), v.maxLength(1_000)), []),
        }),
      ),
      /**
       * Id or username of the author. For the host application only, which must name one; users are the authors of
       * their releases.
       */
      author: v.optional(IdOrName),
    },
    rules: [mutuallyExclusive('milestones', 'milestoneIds')],
    async run(ctx, { tagName, name, description, ref, tagMessage, releasedAt, assets, ...input }, subject) {
      const { project } = subject
      await assertMayRelease(ctx, project, tagName)
      await assertNotReleased(ctx, project.id, tagName)
      const links = (assets?.links ?? []).map((link) => ({ ...link, ...validateLink(link) }))
      const milestones = await findMilestoneIds(ctx, subject, input)
      const authorId = await resolveAuthorId(ctx, input.author)
      const tagger = await readTagger(ctx, authorId)
      const { ports } = ctx
      return afterTransaction(async ({ write }) => {
        const { id: projectId, defaultBranch } = project
        const request = { projectId, defaultBranch, tag: tagName, ref, message: tagMessage, tagger }
        const sha = await ensureTag({ ports, write }, request)
        const { opened, created } = await write(async (ctx) => {
          await assertNotReleased(ctx, project.id, tagName)
          const { id } = await ctx.db
            .insertInto('release')
            .values({
              projectId: project.id,
              tag: tagName,
              name: name || tagName,
              description: description ?? null,
              sha,
              authorId,
              releasedAt: releasedAt === undefined ? ctx.now : normalizeInstant(releasedAt),
              createdAt: ctx.now,
              updatedAt: ctx.now,
            } satisfies CompleteRow<'release'>)
            .returning('id')
            .executeTakeFirstOrThrow()
          for (const link of links) await insertLink(ctx, id, link)
          await setMilestones(ctx, id, milestones)
          const record = await findRelease(ctx, project.id, tagName)
          const created = await completeReleases(ctx, project, [record])
          await announceReleases(ctx, 'release.created', created)
          return { created, opened: await openRepository(ctx, subject) }
        })
        return defined((await withCommits(opened, created))[0])
      })
    },
  }),

  /**
   * Updates a release; omitted fields keep their values, and at least one change is required. Requires the right to create the
   * tag, if it is protected.
   */
  update: command({
    on: project,
    can: 'release.manage',
    scopes: ['job_token'],
    input: {
      /** Tag of the release, 1 to 255 characters. */
      tagName: Tag,
      /** New title, at most 255 characters. An empty text sets it to the tag. */
      name: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Release notes in Markdown, at most 1,000,000 characters; null removes them. */
      description: v.optional(v.nullable(Text)),
      /** When the release is or will be available: ISO 8601; UTC if it has no offset. */
      releasedAt: v.optional(Instant),
      /** Titles of all milestones of the release, at most 100: other milestones are removed. */
      milestones: v.optional(Titles),
      ...milestoneIdsInput,
    },
    rules: [
      atLeastOne('name', 'description', 'releasedAt', 'milestones', 'milestoneIds'),
      mutuallyExclusive('milestones', 'milestoneIds'),
    ],
    async run(ctx, { tagName, name, description, releasedAt, ...references }, subject) {
      const before = await findManagedRelease(ctx, subject.project, tagName)
      const { id } = before
      const [present] = await completeReleases(ctx, subject.project, [before])
      if (references.milestones ?? references.milestoneIds)
        await setMilestones(ctx, id, await findMilestoneIds(ctx, subject, references))
      await updateChanged(ctx, 'release', id, {
        ...(name !== undefined && { name: name || tagName }),
        ...(description !== undefined && { description }),
        ...(releasedAt !== undefined && { releasedAt: normalizeInstant(releasedAt) }),
      })
      const record = await findRelease(ctx, subject.project.id, tagName)
      const [updated] = await completeReleases(ctx, subject.project, [record])
      return readRelease(ctx, subject, record, isDeepStrictEqual(present, updated) ? undefined : 'release.updated')
    },
  }),

  /** Deletes a release and returns it. The tag is kept. Requires the right to create the tag, if it is protected. */
  remove: command({
    on: project,
    can: 'release.manage',
    scopes: ['job_token'],
    input: {
      /** Tag of the release, 1 to 255 characters. */
      tagName: Tag,
    },
    async run(ctx, { tagName }, subject) {
      const record = await findManagedRelease(ctx, subject.project, tagName)
      const removed = await readRelease(ctx, subject, record, 'release.removed')
      await ctx.db.deleteFrom('release').where('id', '=', record.id).execute()
      return removed
    },
  }),
}
