import { features } from '@forgelet/core/operations'
import { createdOrElse, empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { NoteWire, QuickActionsWire } from '../shapes/note.ts'

const { notes } = features

/** The resources that have notes. `hiddenOnCreate` lists inputs that only the library accepts. */
const noteables = [
  {
    base: '/projects/:id/issues/:issue_iid',
    parameter: 'issue_iid',
    input: 'issue',
    hiddenOnCreate: ['author', 'system'],
  },
  {
    base: '/projects/:id/snippets/:snippet_id',
    parameter: 'snippet_id',
    input: 'snippet',
    hiddenOnCreate: ['author', 'system'],
  },
  {
    base: '/projects/:id/merge_requests/:merge_request_iid',
    parameter: 'merge_request_iid',
    input: 'mergeRequest',
    hiddenOnCreate: ['author', 'system'],
  },
  // Notes on epics take no `created_at`: specification 1, "Notes".
  {
    base: '/groups/:id/epics/:epic_id',
    parameter: 'epic_id',
    input: 'epicId',
    hiddenOnCreate: ['author', 'system', 'createdAt'],
  },
] as const

/** Routes contain the id of an epic, not its iid. */
const inputs = [...noteables.map(({ input }) => input), 'epic']

const noteOrQuickActions = createdOrElse(NoteWire, {
  status: 202,
  description: 'The body contained only quick actions; no note is stored',
  shape: QuickActionsWire,
})

export const noteRoutes = noteables.flatMap(({ base, parameter, input, hiddenOnCreate }) => {
  const hidden = inputs.filter((other) => other !== input)
  // Errors call the number of every resource `noteable_id`.
  const options = {
    names: { [parameter]: input },
    errorNames: { [parameter]: 'noteable_id' },
    hidden,
  } satisfies RouteOptions
  const noteOptions = { ...options, names: { ...options.names, note_id: 'note' } } satisfies RouteOptions
  return [
    route(`GET ${base}/notes`, notes.list, page(NoteWire), options),
    route(`POST ${base}/notes`, notes.create, noteOrQuickActions, {
      ...options,
      hidden: [...hidden, ...hiddenOnCreate],
    }),
    route(`GET ${base}/notes/:note_id`, notes.get, one(NoteWire), noteOptions),
    route(`PUT ${base}/notes/:note_id`, notes.update, one(NoteWire), noteOptions),
    route(`DELETE ${base}/notes/:note_id`, notes.remove, empty(), noteOptions),
  ]
})
