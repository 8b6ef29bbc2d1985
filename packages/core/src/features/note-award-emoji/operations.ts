import { defineAwardOperations } from '../award-emoji/define-awards.ts'
import { epicByIid } from '../epics/subject.ts'
import { note } from '../notes/noteable.ts'
import { projectSnippet } from '../snippets/subject.ts'

const onNote = defineAwardOperations(note, ({ note }) => ({ column: 'noteId', id: note.id }))
const onSnippet = defineAwardOperations(projectSnippet, ({ snippet }) => ({ column: 'snippetId', id: snippet.id }))
const onEpic = defineAwardOperations(epicByIid, ({ epic }) => ({ column: 'epicId', id: epic.id }))

/** Emoji of notes, of the snippets of projects, and of epics. */
export const noteAwardEmoji = {
  /** Lists the emoji of a note, oldest first. */
  list: onNote.list,

  /** Gets an emoji of a note. */
  get: onNote.get,

  /** Adds an emoji to a note. Giving the same emoji again changes nothing. */
  give: onNote.give,

  /** Removes an emoji of the caller from a note; administrators remove any. */
  remove: onNote.remove,

  /** Lists the emoji of a snippet of a project, oldest first. */
  listOnSnippet: onSnippet.list,

  /** Gets an emoji of a snippet. */
  getOnSnippet: onSnippet.get,

  /** Adds an emoji to a snippet. Giving the same emoji again changes nothing. */
  giveToSnippet: onSnippet.give,

  /** Removes an emoji of the caller from a snippet; administrators remove any. */
  removeFromSnippet: onSnippet.remove,

  /** Lists the emoji of an epic, oldest first. */
  listOnEpic: onEpic.list,

  /** Gets an emoji of an epic. */
  getOnEpic: onEpic.get,

  /** Adds an emoji to an epic. Giving the same emoji again changes nothing. */
  giveToEpic: onEpic.give,

  /** Removes an emoji of the caller from an epic; administrators remove any. */
  removeFromEpic: onEpic.remove,
}
