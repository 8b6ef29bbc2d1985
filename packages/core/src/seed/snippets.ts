import * as v from 'valibot'
import { NoteList, seedNotes } from './notes.ts'
import { readPages } from './pages.ts'
import type { SectionParent } from './section-parent.ts'
import { defineSection, type ItemIdentity, type Seeder, Timestamp } from './seeder.ts'
import { Visibility } from './shared-sections.ts'

type ProjectParent = Extract<SectionParent, { readonly project: number }>

const snippetFields = {
  /** Name in the result. Default: the title after the username or project path and `$`. */
  as: v.optional(v.string()),
  title: v.string(),
  fileName: v.optional(v.string()),
  content: v.optional(v.string()),
  /** The files, instead of `fileName` and `content`. */
  files: v.optional(v.array(v.strictObject({ filePath: v.string(), content: v.string() }))),
  /** Text in Markdown, at most 1,000,000 characters. */
  description: v.optional(v.string()),
  visibility: Visibility,
  /** A username. */
  author: v.string(),
  /** User agent of the request that created the snippet, for administrators. */
  userAgent: v.optional(v.string()),
  /** IP address of that request. */
  ipAddress: v.optional(v.string()),
  createdAt: Timestamp,
}

const withFileName = <F extends { readonly files?: unknown; readonly fileName?: string | undefined }>(fields: F) =>
  fields.files === undefined ? { ...fields, fileName: fields.fileName ?? '' } : fields

interface SnippetName {
  readonly title: string
  readonly author: string
}

const nameOf = ({ author, title }: SnippetName) => `${author}$${title}`

/** Recognizes snippets by author and title: the list operation has the snippets of one author. */
const writtenBefore = <Parent>(projectOf: (parent: Parent) => number | null): ItemIdentity<SnippetName, Parent> => ({
  nameOf,
  async *listNames(seeder, parent, items) {
    for (const author of new Set(items.map((item) => item.author))) {
      const { snippets } = seeder.asUser(author)
      for await (const { title, projectId } of readPages(snippets.list, {})) {
        if (projectId === projectOf(parent)) yield nameOf({ author, title })
      }
    }
  },
})

/** Personal snippets. */
export const snippetsSection = defineSection(
  'snippets',
  v.strictObject(snippetFields),
  async (seeder, item) => {
    const { as: name, createdAt, userAgent, ipAddress, ...fields } = item
    const { id } = await seeder.asHost(createdAt, { userAgent, ipAddress }).snippets.create(withFileName(fields))
    seeder.record('snippets', name ?? `${fields.author}$${fields.title}`, { id })
  },
  writtenBefore(() => null),
)

const ProjectSnippet = v.strictObject({ ...snippetFields, notes: NoteList })

/** Snippets of a project with their notes. */
export const projectSnippetsSection = defineSection(
  'snippets',
  ProjectSnippet,
  async (seeder: Seeder, item, parent: ProjectParent) => {
    const { as: name, createdAt, userAgent, ipAddress, notes, ...fields } = item
    const host = seeder.asHost(createdAt, { userAgent, ipAddress })
    const { id } = await host.snippets.create({ project: parent.project, ...withFileName(fields) })
    const resultName = name ?? `${parent.path}$${fields.title}`
    await seedNotes(seeder, notes, { project: parent.project, snippet: id }, resultName)
    seeder.record('snippets', resultName, { id })
  },
  writtenBefore(({ project }: ProjectParent) => project),
)
