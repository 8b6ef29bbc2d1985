import { features } from '@forgelet/core/operations'
import { createdOrElse, empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { NoteWire, onlyQuickActions } from '../shapes/note.ts'
import { listOtherInputs, noteablePaths } from './noteable-paths.ts'

const { notes } = features

/** Inputs that only the library accepts. Notes on epics take no `created_at`: specification 1, "Notes". */
const listHiddenOnCreate = (input: string) => ['author', 'system', ...(input === 'epicId' ? ['createdAt'] : [])]

const noteOrQuickActions = createdOrElse(NoteWire, onlyQuickActions)

export const noteRoutes = noteablePaths.flatMap(({ base, parameter, input }) => {
  const hidden = listOtherInputs(input)
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
      hidden: [...hidden, ...listHiddenOnCreate(input)],
    }),
    route(`GET ${base}/notes/:note_id`, notes.get, one(NoteWire), noteOptions),
    route(`PUT ${base}/notes/:note_id`, notes.update, one(NoteWire), noteOptions),
    route(`DELETE ${base}/notes/:note_id`, notes.remove, empty(), noteOptions),
  ]
})
