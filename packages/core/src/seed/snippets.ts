import * as v from 'valibot'
import { Visibility } from './container.ts'
import { noteItems, plantNotes } from './notes.ts'
import { At, type Planting, section } from './planting.ts'

const snippet = {
  /** How the result calls it; its title, after that of what it belongs to, when absent. */
  as: v.optional(v.string()),
  title: v.string(),
  fileName: v.optional(v.string(), ''),
  content: v.string(),
  description: v.optional(v.string()),
  visibility: Visibility,
  /** A username. */
  author: v.string(),
  createdAt: At,
}

/** Snippets of people. */
export const snippetsSection = section('snippets', v.strictObject(snippet), async (planting, item) => {
  const { as: name, createdAt, ...given } = item
  const { id } = await planting.at(createdAt).snippets.create(given)
  planting.note('snippets', name ?? `${given.author}$${given.title}`, { id })
})

const ProjectSnippet = v.strictObject({ ...snippet, notes: noteItems })

/** Snippets of a project, with their notes. */
export const projectSnippetsSection = section(
  'snippets',
  ProjectSnippet,
  async (planting: Planting, item, on: { readonly project: number; readonly path: string }) => {
    const { as: name, createdAt, notes, ...given } = item
    const { id } = await planting.at(createdAt).snippets.create({ project: on.project, ...given })
    const known = name ?? `${on.path}$${given.title}`
    await plantNotes(planting, notes, { project: on.project, snippet: id }, known)
    planting.note('snippets', known, { id })
  },
)
