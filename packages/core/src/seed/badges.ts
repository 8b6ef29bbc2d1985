import * as v from 'valibot'
import { namedIn } from './identity.ts'
import { type SectionParent, toParentInput } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const Badge = v.strictObject({
  /** Default: none. */
  name: v.optional(v.string()),
  /** Address of the link; it can contain placeholders such as `%{project_path}`. */
  linkUrl: v.string(),
  /** Address of the image; it can contain placeholders such as `%{project_path}`. */
  imageUrl: v.string(),
  createdAt: Timestamp,
})

const nameOf = ({ linkUrl, imageUrl }: { readonly linkUrl: string; readonly imageUrl: string }) =>
  `${linkUrl} ${imageUrl}`

/** Badges of a project or a group, recognized by their addresses. */
export const badgesSection = defineSection(
  'badges',
  Badge,
  async (seeder: Seeder, { createdAt, ...badge }, parent: SectionParent) => {
    const { id } = await seeder.asHost(createdAt).badges.create({ ...toParentInput(parent), ...badge })
    seeder.record('badges', `${parent.path} ${id}`, { id })
  },
  namedIn((host) => host.badges, nameOf),
)
