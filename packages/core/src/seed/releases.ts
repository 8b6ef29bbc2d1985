import * as v from 'valibot'
import { namedIn } from './identity.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'
import type { SectionParent } from './shared-sections.ts'

const Link = v.strictObject({
  name: v.string(),
  url: v.string(),
  linkType: v.optional(v.picklist(['other', 'runbook', 'image', 'package'])),
  filepath: v.optional(v.string()),
})

const Release = v.strictObject({
  tag: v.string(),
  /** Default: the tag. */
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  /** The branch or commit of a tag that does not exist yet. */
  ref: v.optional(v.string()),
  /** Titles. */
  milestones: v.optional(v.array(v.string())),
  links: v.optional(v.array(Link)),
  /** A username. */
  author: v.string(),
  createdAt: Timestamp,
})

/** Releases of a project. The repository must contain the tag or `ref`. */
export const releasesSection = defineSection(
  'releases',
  Release,
  async (seeder: Seeder, item, parent: SectionParent) => {
    const { createdAt, tag: tagName, links, ...fields } = item
    const { project } = parent as { project: number }
    const assets = links && { assets: { links } }
    await seeder.asHost(createdAt).releases.create({ project, tagName, ...fields, ...assets })
  },
  namedIn(
    (host, parent: SectionParent, paging) =>
      host.releases.list({ project: (parent as { project: number }).project, ...paging }),
    ({ tagName }) => tagName,
    ({ tag }) => tag,
  ),
)
