import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { atLeastOne, Instant, instant, Reference, Sort } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Outside, outside } from '../../kernel/outside.ts'
import { type Page, paginate, paging } from '../../kernel/paging.ts'
import type { Subjects } from '../../policy.ts'
import { userIdOf } from '../issuables/author.ts'
import { findMilestone } from '../milestones/queries.ts'
import { openRepository } from '../repository/opened-repository.ts'
import { addLink } from './links.ts'
import { completeReleases, findRelease, releasesOf, withCommits } from './queries.ts'
import { cleanLink, linkTypes, type Release, type ReleaseRecord } from './release.ts'
import { taggedCommit } from './tagging.ts'

const Tag = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const Text = v.pipe(v.string(), v.maxLength(1_000_000))

const Link = v.strictObject({
  name: v.string(),
  url: v.string(),
  linkType: v.optional(v.picklist(linkTypes)),
  filepath: v.optional(v.string()),
  directAssetPath: v.optional(v.string()),
})

/** One release as its reader sees it; its commit is asked for outside. */
const told = async (ctx: Context, subject: Subjects['project'], record: ReleaseRecord): Promise<Outside<Release>> => {
  const opened = await openRepository(ctx, subject)
  const releases = await completeReleases(ctx, subject.project, [record])
  return outside(async () => (await withCommits(opened, releases))[0] as Release)
}

/** Milestones go by their titles: those of the project and of the groups above. */
const milestoneIds = async (ctx: Context, subject: Subjects['project'], titles: readonly string[]) => {
  const ids = new Set<number>()
  for (const title of titles) ids.add((await findMilestone(ctx, subject.project, title)).id)
  return [...ids]
}

const setMilestones = async (ctx: Context, releaseId: number, ids: readonly number[]) => {
  await ctx.db.deleteFrom('releaseMilestone').where('releaseId', '=', releaseId).execute()
  if (!ids.length) return
  const rows = ids.map((milestoneId) => ({ releaseId, milestoneId }))
  await ctx.db.insertInto('releaseMilestone').values(rows).execute()
}

const refuseTaken = async (ctx: Context, projectId: number, tag: string) => {
  const taken = await releasesOf(ctx, projectId).where('release.tag', '=', tag).executeTakeFirst()
  if (taken !== undefined) throw conflict('Release already exists')
}

const taggerOf = async (ctx: Context, id: number) => {
  const rows = ctx.db.selectFrom('user').where('id', '=', id).select(['id', 'name', 'email'])
  return { ...(await rows.executeTakeFirstOrThrow()), date: ctx.now }
}

const Titles = v.pipe(v.array(v.string()), v.maxLength(100))

export const releases = {
  /** Releases of a project, the newest first. */
  list: query({
    on: project,
    can: 'release.read',
    input: {
      ...paging,
      orderBy: v.optional(v.picklist(['released_at', 'created_at']), 'released_at'),
      sort: v.optional(Sort, 'desc'),
    },
    async run(ctx, { orderBy, sort, ...at }, subject) {
      const opened = await openRepository(ctx, subject)
      const rows = releasesOf(ctx, subject.project.id)
        .orderBy(orderBy === 'released_at' ? 'release.releasedAt' : 'release.createdAt', sort)
        .orderBy('release.id', sort)
      const page = await paginate(rows, at, (row): ReleaseRecord => row)
      const items = await completeReleases(ctx, subject.project, page.items)
      return outside(async (): Promise<Page<Release>> => ({ ...page, items: await withCommits(opened, items) }))
    },
  }),

  /** One release, by its tag. */
  get: query({
    on: project,
    can: 'release.read',
    input: { tagName: Tag },
    run: async (ctx, { tagName }, subject) => told(ctx, subject, await findRelease(ctx, subject.project.id, tagName)),
  }),

  /**
   * Makes a tag public, with notes and links. A tag that is not there yet is made at `ref`.
   *
   * @throws PlatformError `conflict` when the tag has a release, `unprocessable` when there is no such tag and no `ref`
   */
  create: command({
    on: project,
    can: 'release.manage',
    input: {
      tagName: Tag,
      /** The tag when left out. */
      name: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Markdown. */
      description: v.optional(v.nullable(Text)),
      ref: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
      /** Makes a tag that is not there yet an annotated one. */
      tagMessage: v.optional(Text),
      releasedAt: v.optional(Instant),
      milestones: v.optional(Titles, []),
      assets: v.optional(v.strictObject({ links: v.optional(v.pipe(v.array(Link), v.maxLength(1_000)), []) })),
      /** Only for the host application: who releases it. */
      author: v.optional(Reference),
    },
    async run(ctx, { tagName, name, description, ref, tagMessage, releasedAt, assets, ...given }, subject) {
      const { project } = subject
      await refuseTaken(ctx, project.id, tagName)
      const links = (assets?.links ?? []).map((link) => ({ ...link, ...cleanLink(link) }))
      const milestones = await milestoneIds(ctx, subject, given.milestones)
      const authorId = await userIdOf(ctx, given.author)
      const tagger = await taggerOf(ctx, authorId)
      const { ports } = ctx
      return outside(async ({ write }) => {
        const wanted = { projectId: project.id, tag: tagName, ref, message: tagMessage, tagger }
        const sha = await taggedCommit({ ports, write }, wanted)
        const { opened, made } = await write(async (later) => {
          await refuseTaken(later, project.id, tagName)
          const [row] = await later.db
            .insertInto('release')
            .values({
              projectId: project.id,
              tag: tagName,
              name: name || tagName,
              description: description ?? null,
              sha,
              authorId,
              releasedAt: releasedAt === undefined ? later.now : instant(releasedAt),
              createdAt: later.now,
            })
            .returning('id')
            .execute()
          const { id } = row as { id: number }
          for (const link of links) await addLink(later, id, link)
          await setMilestones(later, id, milestones)
          const record = await findRelease(later, project.id, tagName)
          const made = await completeReleases(later, project, [record])
          return { made, opened: await openRepository(later, subject) }
        })
        return (await withCommits(opened, made))[0] as Release
      })
    },
  }),

  /** Changes what a release says. */
  update: command({
    on: project,
    can: 'release.manage',
    input: {
      tagName: Tag,
      name: v.optional(v.pipe(v.string(), v.maxLength(255))),
      description: v.optional(v.nullable(Text)),
      releasedAt: v.optional(Instant),
      /** All of them: those that are not named are taken away. */
      milestones: v.optional(Titles),
    },
    rules: [atLeastOne('name', 'description', 'releasedAt', 'milestones')],
    async run(ctx, { tagName, name, description, releasedAt, milestones }, subject) {
      const { id } = await findRelease(ctx, subject.project.id, tagName)
      if (milestones) await setMilestones(ctx, id, await milestoneIds(ctx, subject, milestones))
      const change = {
        ...(name !== undefined && { name: name || tagName }),
        ...(description !== undefined && { description }),
        ...(releasedAt !== undefined && { releasedAt: instant(releasedAt) }),
      }
      if (Object.keys(change).length) await ctx.db.updateTable('release').set(change).where('id', '=', id).execute()
      return told(ctx, subject, await findRelease(ctx, subject.project.id, tagName))
    },
  }),

  /** Takes a release back. The tag stays. */
  remove: command({
    on: project,
    can: 'release.manage',
    input: { tagName: Tag },
    async run(ctx, { tagName }, subject) {
      const record = await findRelease(ctx, subject.project.id, tagName)
      const removed = await told(ctx, subject, record)
      await ctx.db.deleteFrom('release').where('id', '=', record.id).execute()
      return removed
    },
  }),
}
