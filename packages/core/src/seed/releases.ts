import * as v from 'valibot'
import type { Container } from './container.ts'
import { At, type Planting, section } from './planting.ts'

const Link = v.strictObject({
  name: v.string(),
  url: v.string(),
  linkType: v.optional(v.picklist(['other', 'runbook', 'image', 'package'])),
  filepath: v.optional(v.string()),
})

const Release = v.strictObject({
  tag: v.string(),
  /** The tag when left out. */
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  /** A branch or a commit, where the repository does not have the tag. */
  ref: v.optional(v.string()),
  /** Titles. */
  milestones: v.optional(v.array(v.string())),
  links: v.optional(v.array(Link)),
  /** A username. */
  author: v.string(),
  createdAt: At,
})

/** What was released of a project. The tag, or what it is to mark, comes with the repository. */
export const releasesSection = section('releases', Release, async (planting: Planting, item, on: Container) => {
  const { createdAt, tag: tagName, links, ...given } = item
  const { project } = on as { project: number }
  const assets = links && { assets: { links } }
  await planting.at(createdAt).releases.create({ project, tagName, ...given, ...assets })
})
