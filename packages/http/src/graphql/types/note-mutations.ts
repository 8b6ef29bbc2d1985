import { PlatformError } from '@forgelet/core'
import type { CreatedDiscussion, ItemReference } from '@forgelet/core/operations'
import { DiscussionNoteWire } from '../../shapes/discussion.ts'
import { NoteWire } from '../../shapes/note.ts'
import { pick } from '../mutation.ts'
import { findDiscussion, findItem, findMergeRequest, findNote } from '../references.ts'
import type { Arguments, GraphqlContext, Json, With } from '../resolver.ts'
import type { SchemaPart } from '../schema-part.ts'
import { shapeDiscussion, withItem } from './notes.ts'

type NoteInput = With<{ body: string; internal?: boolean | null; confidential?: boolean | null }>
type DiffPosition = With<{ headSha: string; startSha: string; baseSha?: string | null; paths: Arguments }>

const toVisibility = ({ internal, confidential }: NoteInput) => {
  const value = internal ?? confidential
  return value == null ? {} : { internal: value }
}

const toStatus = (summary?: readonly string[]) => ({ commands_only: summary !== undefined, messages: summary ?? [] })

/** Adds a note, or a reply to a discussion, and executes its quick actions. */
const createNote = async (input: NoteInput, { session, site }: GraphqlContext): Promise<Json> => {
  const item = await findItem(session, input.noteableId)
  const content = { body: input.body, ...toVisibility(input) }
  if (input.discussionId != null) {
    const { discussion } = await findDiscussion(session, input.discussionId)
    const reply = await session.discussions.reply({ ...item, discussion, ...content })
    if (reply.id === null) return { note: null, quick_actions_status: toStatus(reply.summary) }
    return { note: { ...withItem(DiscussionNoteWire, item)(reply, site), discussion_id: discussion } }
  }
  const created = await session.notes.create({ ...item, ...content })
  return created.id === null
    ? { note: null, quick_actions_status: toStatus(created.summary) }
    : {
        note: withItem(NoteWire, item)(created, site),
        quick_actions_status: toStatus(),
      }
}

const toStarted = (created: CreatedDiscussion, item: ItemReference, site: GraphqlContext['site']): Json => {
  if (created.id === null) return { discussion: null, note: null, quick_actions_status: toStatus(created.summary) }
  const discussion = shapeDiscussion(item)(created, site)
  return { discussion, note: discussion.notes[0], quick_actions_status: toStatus() }
}

const createDiscussion = async (input: NoteInput, { session, site }: GraphqlContext): Promise<Json> => {
  const item = await findItem(session, input.noteableId)
  const created = await session.discussions.create({ ...item, body: input.body, ...toVisibility(input) })
  return toStarted(created, item, site)
}

const createDiffNote = async (
  input: NoteInput & { readonly position: DiffPosition },
  { session, site }: GraphqlContext,
): Promise<Json> => {
  const item = await findMergeRequest(session, input.noteableId)
  const { position } = input
  const created = await session.discussions.create({
    ...item,
    body: input.body,
    position: {
      positionType: 'text',
      headSha: position.headSha,
      startSha: position.startSha,
      baseSha: position.baseSha ?? position.startSha,
      ...pick(position.paths, 'oldPath', 'newPath'),
      ...pick(position, 'oldLine', 'newLine'),
    },
  })
  return toStarted(created, item, site)
}

/** Changes of notes and discussions. */
export const noteMutationPart: SchemaPart = {
  types: `
type QuickActionsStatus { commandsOnly: Boolean messages: [String!] }

input DiffPathsInput { oldPath: String newPath: String }
input DiffPositionInput {
  headSha: String! baseSha: String startSha: String! paths: DiffPathsInput! oldLine: Int newLine: Int
}
`,
  mutations: {
    createNote: {
      input: 'noteableId: NoteableID! body: String! internal: Boolean confidential: Boolean discussionId: DiscussionID',
      payload: 'note: Note quickActionsStatus: QuickActionsStatus',
      run: createNote,
    },
    createDiscussion: {
      input: 'noteableId: NoteableID! body: String! internal: Boolean confidential: Boolean',
      payload: 'note: Note discussion: Discussion quickActionsStatus: QuickActionsStatus',
      run: createDiscussion,
    },
    createDiffNote: {
      input: 'noteableId: NoteableID! body: String! position: DiffPositionInput!',
      payload: 'note: Note discussion: Discussion quickActionsStatus: QuickActionsStatus',
      run: createDiffNote,
    },
    updateNote: {
      input: 'id: NoteID! body: String!',
      payload: 'note: Note',
      async run({ id, body }: With<{ body: string }>, { session, site }) {
        const { item, note } = await findNote(session, id)
        return {
          note: withItem(NoteWire, item)(await session.notes.update({ ...item, note, body }), site),
        }
      },
    },
    destroyNote: {
      input: 'id: NoteID!',
      payload: '"Always null." note: Note',
      async run({ id }, { session }) {
        const { item, note } = await findNote(session, id)
        await session.notes.remove({ ...item, note })
        return {}
      },
    },
    discussionToggleResolve: {
      input: 'id: DiscussionID! resolve: Boolean!',
      payload: 'discussion: Discussion',
      async run({ id, resolve }: With<{ resolve: boolean }>, { session, site }) {
        const { item, discussion } = await findDiscussion(session, id)
        if (!('mergeRequest' in item))
          throw new PlatformError('invalid', 'Only merge requests have resolvable discussions')
        const resolved = await session.discussions.resolve({
          ...item,
          discussion,
          resolved: resolve,
        })
        return { discussion: shapeDiscussion(item)(resolved, site) }
      },
    },
  },
}
