import type { OwnedPattern } from '@forgelet/core/operations'
import type { HtmlValue } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { renderTexts } from './markdown.ts'
import { details, section as pageSection } from './rows.ts'

/** The name that a file of code owners gives to entries without a section. */
const unnamed = 'codeowners'

/** The name of a section of code owners; undefined for entries without a section. */
export const sectionName = (section: string): string | undefined => (section === unnamed ? undefined : section)

/** The code owners of a file or a directory, which are links for visitors who can see them. Undefined without owners. */
export const codeOwners = async (ctx: PageContext, owned: readonly OwnedPattern[]): Promise<HtmlValue> => {
  if (owned.length === 0) return undefined
  const names = await renderTexts(
    ctx,
    owned.map(({ owners }) => owners.join(' ')),
  )
  const bySection = owned.map(({ section }, index) => [sectionName(section) ?? 'Default', names[index]])
  return pageSection('code-owners', 'Code owners', details(Object.fromEntries(bySection)))
}
