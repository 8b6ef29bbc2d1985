import { PlatformError } from '@forgelet/core'
import { DiscussionNoteWire } from '../../shapes/discussion.ts'
import { NoteWire } from '../../shapes/note.ts'
import { pick } from '../mutation.ts'
import { findDiscussion, findItem, findMergeRequest, findNote } from '../references.ts'
import type { Arguments, GraphqlContext, Json } from '../resolver.ts'
import type { SchemaPart } from '../schema-part.ts'
import { shapeDiscussion, withItem } from './notes.ts'

const toVisibility = ({ internal, confidential }: Arguments) => {
  const value = internal ?? confidential
  return value == null ? {} : { internal: value as boolean }
}

/** Adds a note, or a reply to a discussion. Quick actions of new notes are executed. */
const createNote = async (input: Arguments, { session, site }: GraphqlContext): Promise<Json> => {
  const item = await findItem(session, input.noteableId)
  const content = { body: input.body as string, ...toVisibility(input) }
  if (input.discussionId != null) {
    const { discussion } = await findDiscussion(session, input.discussionId)
    const reply = await session.discussions.reply({ ...item, discussion, ...content })
    return { note: { ...withItem(DiscussionNoteWire, item)(reply, site), discussion_id: discussion } }
  }
  const created = await session.notes.create({ ...item, ...content })
  return created.id === null
    ? { note: null, quick_actions_status: { commands_only: true, messages: created.summary } }
    : {
        note: withItem(NoteWire, item)(created, site),
        quick_actions_status: { commands_only: false, messages: [] },
      }
}

const createDiscussion = async (input: Arguments, { session, site }: GraphqlContext): Promise<Json> => {
  const item = await findItem(session, input.noteableId)
  const created = await session.discussions.create({ ...item, body: input.body as string, ...toVisibility(input) })
  const discussion = shapeDiscussion(item)(created, site)
  return { discussion, note: (discussion.notes as readonly Json[])[0] }
}

const createDiffNote = async (input: Arguments, { session, site }: GraphqlContext): Promise<Json> => {
  const item = await findMergeRequest(session, input.noteableId)
  const position = input.position as Arguments
  const paths = position.paths as Arguments
  const created = await session.discussions.create({
    ...item,
    body: input.body as string,
    position: {
      positionType: 'text',
      headSha: position.headSha as string,
      startSha: position.startSha as string,
      baseSha: (position.baseSha ?? position.startSha) as string,
      ...pick(paths, 'oldPath', 'newPath'),
      ...pick(position, 'oldLine', 'newLine'),
    },
  })
  return { note: (shapeDiscussion(item)(created, site).notes as readonly Json[])[0] }
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
      payload: 'note: Note discussion: Discussion',
      run: createDiscussion,
    },
    createDiffNote: {
      input: 'noteableId: NoteableID! body: String! position: DiffPositionInput!',
      payload: 'note: Note',
      run: createDiffNote,
    },
    updateNote: {
      input: 'id: NoteID! body: String!',
      payload: 'note: Note',
      async run({ id, body }, { session, site }) {
        const { item, note } = await findNote(session, id)
        return {
          note: withItem(NoteWire, item)(await session.notes.update({ ...item, note, body: body as string }), site),
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
      async run({ id, resolve }, { session, site }) {
        const { item, discussion } = await findDiscussion(session, id)
        if (!('mergeRequest' in item))
          throw new PlatformError('invalid', 'Only merge requests have resolvable discussions')
        const resolved = await session.discussions.resolve({
          ...item,
          discussion,
          resolved: resolve as boolean,
        })
        return { discussion: shapeDiscussion(item)(resolved, site) }
      },
    },
  },
}
