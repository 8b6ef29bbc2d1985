import type { Noteable } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { extractQuickActions, type QuickAction } from '../../planning/quick-actions/parser.ts'
import type { ExecutedQuickActions, QuickActionChanges } from '../notes/note.ts'
import { executeQuickActions } from './execute.ts'

interface NoteText {
  /** What is stored; empty for quick actions only. */
  readonly text: string
  readonly actions: readonly QuickAction[]
}

/** Splits the text of a note. Those of the host and on snippets have no quick actions. */
export const splitNoteText = ({ actor }: Context, { kind }: Noteable, body: string): NoteText =>
  actor.kind === 'user' && kind !== 'snippet' ? extractQuickActions(body) : { text: body, actions: [] }

/** Executes the quick actions of a note that is stored. */
export const executeOfNote = async (
  ctx: Context,
  noteable: Noteable,
  actions: readonly QuickAction[],
): Promise<QuickActionChanges> =>
  noteable.kind === 'snippet' || !actions.length ? {} : (await executeQuickActions(ctx, noteable, actions)).changes

/** Executes a text of quick actions only. Undefined for other texts. */
export const executeInsteadOfNote = async (
  ctx: Context,
  noteable: Noteable,
  { text, actions }: NoteText,
): Promise<ExecutedQuickActions | undefined> => {
  if (noteable.kind === 'snippet' || text !== '' || !actions.length) return undefined
  const { changes, summary } = await executeQuickActions(ctx, noteable, actions)
  return { id: null, commandsChanges: changes, summary: [summary.join(' ')] }
}
