import * as v from 'valibot'
import { wikiFormats } from '../features/collaboration/wikis/wiki-page.ts'
import { namedIn } from './identity.ts'
import { type SectionParent, toParentInput } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const WikiPage = v.strictObject({
  /** Unique in the wiki; `/` separates directories. */
  title: v.string(),
  /** Text of the page. */
  content: v.string(),
  /** Markup language. Default: `markdown`. */
  format: v.optional(v.picklist(wikiFormats)),
  createdAt: Timestamp,
})

/** Pages of the wiki of a project or, with the paid tier, of a group. */
export const wikiPagesSection = defineSection(
  'wikiPages',
  WikiPage,
  async (seeder: Seeder, { createdAt, ...page }, parent: SectionParent) => {
    await seeder.asHost(createdAt).wikis.create({ ...toParentInput(parent), ...page })
  },
  namedIn(
    (host) => host.wikis,
    ({ title }) => title.trim(),
  ),
)
