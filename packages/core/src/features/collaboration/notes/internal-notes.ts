import * as v from 'valibot'
import type { Noteable } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { assertAbility, hasAbility } from '../../../policy/authorize.ts'
import { isConfidential } from './mutations.ts'
import type { NoteableKind, NoteRecord } from './note.ts'

/** Inputs of new and changed notes. */
export const internalInput = {
  /** Only reporters and above, who alone may set it, and the author can read the note. It cannot be changed. */
  internal: v.optional(v.boolean()),
  /** The former name of `internal`, which takes precedence. */
  confidential: v.optional(v.boolean()),
}

interface InternalInput {
  readonly internal?: boolean | undefined
  readonly confidential?: boolean | undefined
}

export const canReadInternal = ({ actor }: Context, subject: Noteable): boolean =>
  hasAbility<NoteableKind>(actor, subject, 'note.readInternal')

/**
 * Whether a new note is internal.
 *
 * @throws PlatformError `forbidden` if it is and the current user could not read internal notes
 */
export const resolveInternal = (
  { actor }: Context,
  subject: Noteable,
  { internal, confidential }: InternalInput,
): boolean => {
  const isInternal = internal ?? confidential ?? false
  if (isInternal) assertAbility<NoteableKind>(actor, subject, 'note.readInternal')
  return isInternal
}

/** Rejects a change of an existing note, and replies that differ from their discussion: texts are never published later. */
export const assertSameInternal = (
  { internal, confidential }: InternalInput,
  subject: Noteable,
  current: Pick<NoteRecord, 'internal'>,
): void => {
  // A note of a confidential item is confidential, whether or not it is internal.
  const isCurrent = confidential === undefined || confidential === (current.internal || isConfidential(subject))
  if (internal === undefined ? !isCurrent : internal !== current.internal)
    throw invalid({ internal: ['is determined when a discussion or note is created'] })
}
