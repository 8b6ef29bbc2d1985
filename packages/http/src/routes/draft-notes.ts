import { type DraftNote, features, type Position } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableInteger, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, nullable, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { LineRangeWire } from '../shapes/discussion.ts'

const { draftNotes } = features

/** A position whose fields are null if there is none. */
type DraftPosition = { readonly [K in keyof Position]: Position[K] | null }

const noPosition: DraftPosition = {
  baseSha: null,
  startSha: null,
  headSha: null,
  positionType: 'text',
  oldPath: null,
  newPath: null,
  oldLine: null,
  newLine: null,
  lineCode: null,
  lineRange: null,
  x: null,
  y: null,
  width: null,
  height: null,
}

/** The position of a draft note; without one, the other fields are null. */
const DraftPositionWire = wire<DraftPosition>('DraftNotePosition')({
  base_sha: NullableText,
  start_sha: NullableText,
  head_sha: NullableText,
  position_type: NullableText,
  old_path: NullableText,
  new_path: NullableText,
  old_line: NullableInteger,
  new_line: NullableInteger,
  line_code: NullableText,
  line_range: nullable(LineRangeWire),
  x: v.nullable(v.number()),
  y: v.nullable(v.number()),
  width: v.nullable(v.number()),
  height: v.nullable(v.number()),
})

const DraftNoteWire = wire<DraftNote>('DraftNote')({
  id: Integer,
  author_id: Integer,
  merge_request_id: Integer,
  resolve_discussion: v.boolean(),
  discussion_id: NullableText,
  note: v.string(),
  commit_id: NullableText,
  /** `<sha1 of the path>_<old line>_<new line>`; null without a position on a line. */
  line_code: computed(NullableText, ({ position }: DraftNote) => position?.lineCode ?? null),
  /** The position in the changes; without one, its fields are null. */
  position: computed(DraftPositionWire, ({ position }: DraftNote) => position ?? noPosition),
})

const options = { extension: true, names: { merge_request_iid: 'mergeRequest' } } satisfies RouteOptions
const draftOptions = { ...options, names: { ...options.names, draft_note_id: 'draftNote' } } satisfies RouteOptions

const drafts = '/projects/:id/merge_requests/:merge_request_iid/draft_notes'

/** Not in the specification; code review tools collect their comments here. */
export const draftNoteRoutes = [
  route(`GET ${drafts}`, draftNotes.list, page(DraftNoteWire), options),
  route(`POST ${drafts}`, draftNotes.create, one(DraftNoteWire), { ...options, hidden: ['author'] }),
  route(`POST ${drafts}/bulk_publish`, draftNotes.publish, empty(), { ...options, hidden: ['draftNote'] }),
  route(`GET ${drafts}/:draft_note_id`, draftNotes.get, one(DraftNoteWire), draftOptions),
  route(`PUT ${drafts}/:draft_note_id`, draftNotes.update, one(DraftNoteWire), draftOptions),
  route(`DELETE ${drafts}/:draft_note_id`, draftNotes.remove, empty(), draftOptions),
  route(`PUT ${drafts}/:draft_note_id/publish`, draftNotes.publish, empty(), {
    ...draftOptions,
    hidden: ['note', 'internal', 'reviewerState'],
  }),
]
