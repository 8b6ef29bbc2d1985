import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertMayRelease, findManagedRelease, findRelease } from '../releases/queries.ts'
import { linkTypes, type ReleaseLink, validateLink } from '../releases/release.ts'
import { assertLinkAvailable, insertLink, selectLinks } from './mutations.ts'

const Tag = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const linkFields = {
  /** New text of the link, unique within the release. */
  name: v.optional(v.string()),
  /** New address of the asset: `http`, `https` or `ftp`, unique within the release. */
  url: v.optional(v.string()),
  /** Kind of the asset: `runbook`, `image`, `package`, or `other`, the default of a new link. */
  linkType: v.optional(v.picklist(linkTypes)),
  /** Path of a permanent URL that redirects to the asset, such as `/bin/tool`. Default of a new link: none. */
  filepath: v.optional(v.string()),
  /** The newer name of `filepath`, with precedence. */
  directAssetPath: v.optional(v.string()),
}

const findLink = async (ctx: Context, projectId: number, tag: string, id: number) => {
  const release = await findRelease(ctx, projectId, tag)
  const link = await selectLinks(ctx, release.id).where('releaseLink.id', '=', id).executeTakeFirst()
  if (link === undefined) throw notFound('')
  return { release, link }
}

/** Links from a release to external assets: binaries, packages, images. */
export const releaseLinks = {
  /** Lists the links of a release, newest first. */
  list: query({
    on: project,
    can: 'release.read',
    scopes: ['job_token'],
    input: {
      ...pagingEntries,
      /** Tag of the release, 1 to 255 characters. */
      tagName: Tag,
    },
    async run(ctx, { tagName, ...paging }, { project }) {
      const { id } = await findRelease(ctx, project.id, tagName)
      return paginate(selectLinks(ctx, id).orderBy('releaseLink.id', 'desc'), paging, (row): ReleaseLink => row)
    },
  }),

  /** Gets the link of a release with this permanent path. */
  locate: query({
    on: project,
    can: 'release.read',
    scopes: ['job_token'],
    input: {
      /** Tag of the release, 1 to 255 characters. */
      tagName: Tag,
      /** Permanent path of the link, with or without a leading slash: `bin/tool`. */
      directAssetPath: v.pipe(v.string(), v.maxLength(1_024)),
    },
    async run(ctx, { tagName, directAssetPath }, { project }): Promise<ReleaseLink> {
      const { id } = await findRelease(ctx, project.id, tagName)
      const link = await selectLinks(ctx, id)
        .where('releaseLink.filepath', '=', `/${directAssetPath.replace(/^\//, '')}`)
        .orderBy('releaseLink.id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (link === undefined) throw notFound('')
      return link
    },
  }),

  /** Gets a link of a release. */
  get: query({
    on: project,
    can: 'release.read',
    scopes: ['job_token'],
    input: {
      /** Tag of the release, 1 to 255 characters. */
      tagName: Tag,
      /** Id of the link, as in `releaseLinks.list`. */
      link: Id,
    },
    run: async (ctx, { tagName, link }, { project }): Promise<ReleaseLink> =>
      (await findLink(ctx, project.id, tagName, link)).link,
  }),

  /** Adds a link to a release. Fails with `invalid` if a link of the release has the name or the URL. */
  create: command({
    on: project,
    can: 'release.manage',
    scopes: ['job_token'],
    input: {
      ...linkFields,
      /** Tag of the release, 1 to 255 characters. */
      tagName: Tag,
      /** Text of the link, unique within the release. */
      name: v.string(),
      /** Address of the asset: `http`, `https` or `ftp`, unique within the release. */
      url: v.string(),
    },
    async run(ctx, { tagName, ...input }, { project }) {
      const { id } = await findManagedRelease(ctx, project, tagName)
      return insertLink(ctx, id, { ...input, ...validateLink(input) })
    },
  }),

  /** Updates a link; omitted fields keep their values, and at least one change is required. */
  update: command({
    on: project,
    can: 'release.manage',
    scopes: ['job_token'],
    input: {
      ...linkFields,
      /** Tag of the release, 1 to 255 characters. */
      tagName: Tag,
      /** Id of the link, as in `releaseLinks.list`. */
      link: Id,
    },
    rules: [atLeastOne('name', 'url', 'linkType', 'filepath', 'directAssetPath')],
    async run(ctx, { tagName, link: id, name, url, linkType, ...paths }, { project }): Promise<ReleaseLink> {
      const { release, link } = await findLink(ctx, project.id, tagName, id)
      await assertMayRelease(ctx, project, tagName)
      const changes = {
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url }),
        ...(linkType !== undefined && { linkType }),
        ...validateLink({ ...(name !== undefined && { name }), ...(url !== undefined && { url }), ...paths }),
      }
      await assertLinkAvailable(ctx, release.id, changes, link.id)
      await ctx.db.updateTable('releaseLink').set(changes).where('id', '=', link.id).execute()
      return { ...link, ...changes }
    },
  }),

  /** Deletes a link and returns it. */
  remove: command({
    on: project,
    can: 'release.manage',
    scopes: ['job_token'],
    input: {
      /** Tag of the release, 1 to 255 characters. */
      tagName: Tag,
      /** Id of the link, as in `releaseLinks.list`. */
      link: Id,
    },
    async run(ctx, { tagName, link: id }, { project }): Promise<ReleaseLink> {
      const { link } = await findLink(ctx, project.id, tagName, id)
      await assertMayRelease(ctx, project, tagName)
      await ctx.db.deleteFrom('releaseLink').where('id', '=', link.id).execute()
      return link
    },
  }),
}
