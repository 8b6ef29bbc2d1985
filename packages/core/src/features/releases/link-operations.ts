import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { atLeastOne, Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { addLink, linksOf, refuseTakenLink } from './links.ts'
import { findRelease } from './queries.ts'
import { cleanLink, linkTypes, type ReleaseLink } from './release.ts'

const Tag = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const changeable = {
  name: v.optional(v.string()),
  url: v.optional(v.string()),
  linkType: v.optional(v.picklist(linkTypes)),
  filepath: v.optional(v.string()),
  directAssetPath: v.optional(v.string()),
}

const findLink = async (ctx: Context, projectId: number, tag: string, id: number) => {
  const release = await findRelease(ctx, projectId, tag)
  const link = await linksOf(ctx, release.id).where('releaseLink.id', '=', id).executeTakeFirst()
  if (link === undefined) throw notFound('')
  return { release, link }
}

/** What belongs to a release and lies elsewhere: binaries, packages, pictures. */
export const releaseLinks = {
  /** Links of a release, the newest first. */
  list: query({
    on: project,
    can: 'release.read',
    input: { ...paging, tagName: Tag },
    async run(ctx, { tagName, ...at }, { project }) {
      const { id } = await findRelease(ctx, project.id, tagName)
      return paginate(linksOf(ctx, id).orderBy('releaseLink.id', 'desc'), at, (row): ReleaseLink => row)
    },
  }),

  /** One link. */
  get: query({
    on: project,
    can: 'release.read',
    input: { tagName: Tag, link: Id },
    run: async (ctx, { tagName, link }, { project }): Promise<ReleaseLink> =>
      (await findLink(ctx, project.id, tagName, link)).link,
  }),

  /** Adds a link. Name and address are new in the release. */
  create: command({
    on: project,
    can: 'release.manage',
    input: { ...changeable, tagName: Tag, name: v.string(), url: v.string() },
    async run(ctx, { tagName, ...given }, { project }) {
      const { id } = await findRelease(ctx, project.id, tagName)
      return addLink(ctx, id, { ...given, ...cleanLink(given) })
    },
  }),

  /** Changes a link. */
  update: command({
    on: project,
    can: 'release.manage',
    input: { ...changeable, tagName: Tag, link: Id },
    rules: [atLeastOne('name', 'url', 'linkType', 'filepath', 'directAssetPath')],
    async run(ctx, { tagName, link: id, name, url, linkType, ...paths }, { project }) {
      const { release, link } = await findLink(ctx, project.id, tagName, id)
      const change = {
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url }),
        ...(linkType !== undefined && { linkType }),
        ...cleanLink({ ...(name !== undefined && { name }), ...(url !== undefined && { url }), ...paths }),
      }
      await refuseTakenLink(ctx, release.id, change, link.id)
      await ctx.db.updateTable('releaseLink').set(change).where('id', '=', link.id).execute()
      return { ...link, ...change }
    },
  }),

  /** Removes a link and answers what it was. */
  remove: command({
    on: project,
    can: 'release.manage',
    input: { tagName: Tag, link: Id },
    async run(ctx, { tagName, link: id }, { project }): Promise<ReleaseLink> {
      const { link } = await findLink(ctx, project.id, tagName, id)
      await ctx.db.deleteFrom('releaseLink').where('id', '=', link.id).execute()
      return link
    },
  }),
}
