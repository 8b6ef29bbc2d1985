import * as v from 'valibot'
import { namedIn } from './identity.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const Link = v.strictObject({
  /** Unique in the release. */
  name: v.string(),
  /** Address of the asset, unique in the release: http, https or ftp. */
  url: v.string(),
  /** Kind of the asset. Default: `other`. */
  linkType: v.optional(v.picklist(['other', 'runbook', 'image', 'package'])),
  /** Path below the release, such as `/bin/tool`. */
  filepath: v.optional(v.string()),
})

const Release = v.strictObject({
  /** Existing tag, or the name of the tag that `ref` creates. */
  tag: v.string(),
  /** Default: the tag. */
  name: v.optional(v.string()),
  /** Release notes in Markdown, at most 1,000,000 characters. */
  description: v.optional(v.string()),
  /** The branch or commit of a tag that does not exist yet. */
  ref: v.optional(v.string()),
  /** Titles. */
  milestones: v.optional(v.array(v.string())),
  /** Links to files and other resources. */
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
    const project = projectOf(parent)
    const assets = links && { assets: { links } }
    await seeder.asHost(createdAt).releases.create({ project, tagName, ...fields, ...assets })
  },
  namedIn(
    (host) => host.releases,
    (item) => ('tagName' in item ? item.tagName : item.tag),
  ),
)
