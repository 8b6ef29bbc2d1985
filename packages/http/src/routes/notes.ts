import { features } from '@forgelet/core/operations'
import { route } from '../route.ts'
import { empty, one, orElse, page } from '../send.ts'
import { CommandsWire, NoteWire } from '../shapes/note.ts'

const { notes } = features

/** What notes hang on: where it is found, how the path names it, and which input it is. */
const bases = [
  { at: '/projects/:id/issues/:issue_iid', parameter: 'issue_iid', input: 'issue', written: ['author'] },
  { at: '/projects/:id/snippets/:snippet_id', parameter: 'snippet_id', input: 'snippet', written: ['author'] },
  {
    at: '/projects/:id/merge_requests/:merge_request_iid',
    parameter: 'merge_request_iid',
    input: 'mergeRequest',
    written: ['author'],
  },
  // Notes on epics cannot be dated back: specification 1, "Notes".
  { at: '/groups/:id/epics/:epic_id', parameter: 'epic_id', input: 'epic', written: ['author', 'createdAt'] },
] as const

const inputs = bases.map(({ input }) => input)

const outcome = orElse('note', NoteWire, {
  status: 202,
  says: 'It held nothing but commands: no note is stored',
  shape: CommandsWire,
})

/** The same five routes on each of the four. */
export const noteRoutes = bases.flatMap(({ at, parameter, input, written }) => {
  const omit = inputs.filter((other) => other !== input)
  // Whichever it is, refusals of its number speak of what is noted on.
  const called = { [parameter]: 'noteable_id' }
  const all = { names: { [parameter]: input }, called, omit }
  const single = { names: { [parameter]: input, note_id: 'note' }, called, omit }
  return [
    route(`GET ${at}/notes`, notes.list, page(NoteWire), all),
    route(`POST ${at}/notes`, notes.write, outcome, { ...all, omit: [...omit, ...written] }),
    route(`GET ${at}/notes/:note_id`, notes.get, one(NoteWire), single),
    route(`PUT ${at}/notes/:note_id`, notes.update, one(NoteWire), single),
    route(`DELETE ${at}/notes/:note_id`, notes.remove, empty(), single),
  ]
})
