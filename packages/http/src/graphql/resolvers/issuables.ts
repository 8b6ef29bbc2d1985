import { LabelWire } from '../../shapes/label.ts'
import { NoteWire } from '../../shapes/note.ts'
import { readConnection, sliceConnection } from '../connection.ts'
import type { Arguments, Json, Resolver, Resolvers, TypeResolvers } from '../resolver.ts'
import { toWebPath } from './user.ts'

/** The filters that lists of issues and of merge requests have in common, as inputs of operations. */
export const readFilter = ({ state, search, labelName, authorUsername, assigneeUsername, iids }: Arguments) => ({
  ...(state != null && { state: state as 'opened' | 'closed' | 'all' }),
  ...(search != null && { search: search as string }),
  ...(labelName != null && { labels: labelName as string[] }),
  ...(authorUsername != null && { authorUsername: authorUsername as string }),
  ...(assigneeUsername != null && { assigneeUsername: [assigneeUsername as string] }),
  ...(iids != null && { iids: (iids as string[]).map(Number) }),
})

const projectOf = ({ project_id: project }: Json) => project as number

const computed: Resolvers = {
  webPath: toWebPath,
  reference: ({ references }, { full }) => (references as Json)[full ? 'full' : 'relative'],
  assignees: ({ assignees }, args) => sliceConnection(args, assignees as Json[]),
}

/** The labels of an item, of which it has only the names. */
const readLabels: Resolver = async (item, args, { session, site }) => {
  const project = projectOf(item)
  const found = await Promise.all((item.labels as string[]).map((label) => session.labels.get({ project, label })))
  return sliceConnection(
    args,
    found.map((label) => LabelWire(label, site)),
  )
}

const createNotesResolver =
  (field: 'issue' | 'mergeRequest'): Resolver =>
  (item, args, { session, site }) =>
    readConnection(args, NoteWire, site, (window) => {
      const subject = { project: projectOf(item), [field]: item.iid } as { project: number; issue: number }
      return session.notes.list({ ...subject, sort: 'asc', ...window })
    })

/** Fields of issues. */
export const issueResolvers: TypeResolvers = {
  computed,
  calls: { labels: readLabels, notes: createNotesResolver('issue') },
}

/** Fields of merge requests. */
export const mergeRequestResolvers: TypeResolvers = {
  computed: {
    ...computed,
    conflicts: ({ has_conflicts: conflicts }) => conflicts,
    diffHeadSha: ({ sha }) => sha,
    detailedMergeStatus: ({ detailed_merge_status: status }) => String(status).toUpperCase(),
    reviewers: ({ reviewers }, args) => sliceConnection(args, reviewers as Json[]),
  },
  calls: { labels: readLabels, notes: createNotesResolver('mergeRequest') },
}
