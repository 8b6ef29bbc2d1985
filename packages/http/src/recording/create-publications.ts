import type { ProjectContext } from './create-issuables.ts'
import { isTagName } from './create-repository.ts'
import { withoutUndefined } from './json-fields.ts'
import type { RecordedProject, RecordedSnippet, SeedRelease, SeedSnippet } from './recorded-world.ts'
import { removedAuthor, type Skip } from './skip.ts'

/** In the order of their creation, as ids of releases are not recorded. */
export const createReleases = (
  { releases }: RecordedProject,
  { path, titles, skip }: ProjectContext,
): SeedRelease[] | undefined => {
  const inOrder = [...releases.values()].toSorted((a, b) => ((a.createdAt ?? '') < (b.createdAt ?? '') ? -1 : 1))
  const created = inOrder.flatMap(({ milestones, ...release }) => {
    if (release.tag === undefined || !isTagName(release.tag)) {
      skip(`${path} ${release.tag}`, 'its tag is invalid')
      return []
    }
    const known = milestones?.filter((title) => titles.has(title))
    return [
      withoutUndefined({
        ...release,
        tag: release.tag,
        author: release.author ?? removedAuthor,
        milestones: known?.length ? known : undefined,
      }),
    ]
  })
  return created.length ? created : undefined
}

/** Snippets with content, by id. */
export const createSnippets = (
  snippets: ReadonlyMap<number, RecordedSnippet>,
  where: string,
  skip: Skip,
): SeedSnippet[] | undefined => {
  const created = [...snippets]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([id, { fields }]) => {
      const { title, content } = fields
      if (title !== undefined && content !== undefined)
        return [{ ...fields, title, content, author: fields.author ?? removedAuthor }]
      skip(`${where} snippet ${id}`, `its ${title === undefined ? 'title' : 'content'} is not in the recording`)
      return []
    })
  return created.length ? created : undefined
}
