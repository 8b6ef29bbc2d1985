import type { Discussion, DiscussionNote } from '../../features/collaboration/discussions/discussion.ts'
import type { NoteableRef } from '../../features/collaboration/notes/noteable.ts'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, present } from './exporter.ts'

type SeedProject = NonNullable<Seed['projects']>[number]
type SeedNote = NonNullable<NonNullable<SeedProject['issues']>[number]['notes']>[number]
type SeedReviewNote = NonNullable<NonNullable<SeedProject['mergeRequests']>[number]['notes']>[number]

const exportReply = ({ author, body, createdAt }: DiscussionNote) => ({ author: author.username, body, createdAt })

const exportDiscussion = ({ individualNote, notes: [first, ...others] }: Discussion): SeedNote[] => {
  if (!first) return []
  const replies = others.map(exportReply)
  const { internal, system } = first
  return [
    { ...exportReply(first), ...present({ internal, system, thread: !individualNote && !replies.length, replies }) },
  ]
}

/** Threads in the order of their first comments. */
const readDiscussions = async ({ host }: Exporter, noteable: NoteableRef): Promise<Discussion[]> => {
  const discussions = await readAll(host.discussions.list, noteable)
  return discussions.toSorted(({ notes: [one] }, { notes: [other] }) =>
    (one?.createdAt ?? '').localeCompare(other?.createdAt ?? ''),
  )
}

/** Comments with their replies, and system notes, in the order of their creation. */
export const exportNotes = async (exporter: Exporter, noteable: NoteableRef): Promise<SeedNote[]> =>
  (await readDiscussions(exporter, noteable)).flatMap(exportDiscussion)

/** The same of a merge request, with their places in its diff. */
export const exportReviewNotes = async (exporter: Exporter, noteable: NoteableRef): Promise<SeedReviewNote[]> =>
  (await readDiscussions(exporter, noteable)).flatMap((discussion) => {
    const { notes } = discussion
    const position = notes[0]?.position ?? null
    const resolved = notes.some(({ resolved }) => resolved)
    if (resolved) exporter.omit('who resolved threads, and when')
    if (notes.some(({ suggestions = [] }) => suggestions.some(({ applied }) => applied)))
      exporter.omit('which suggestions were applied')
    const place = position && { ...present(position), lineCode: position.lineCode }
    return exportDiscussion(discussion).map((note) => ({
      ...note,
      ...present({ resolved }),
      ...(place && { position: place }),
      ...present({ commitSha: notes[0]?.sha }),
    }))
  })
