import type { UserSummary } from '../../accounts/users/user.ts'
import type { HealthStatus, IssueType } from '../../planning/issues/issue.ts'

export type NoteableKind = 'issue' | 'mergeRequest' | 'snippet' | 'epic'

/** A note of a discussion, or of a discussion on a diff. */
export type NoteType = 'DiscussionNote' | 'DiffNote'

/** A stored note: enough for permission checks. */
export interface NoteRecord {
  /** Unique on the instance. */
  id: number
  /** Id of the user who wrote the note; of a system note, the user who made the change. */
  authorId: number
  /** Text in Markdown, at most 1,000,000 characters. */
  body: string
  /** Whether the note records a change of the noteable; false for a comment. */
  system: boolean
  /** Whether only reporters and above and the author can read it. */
  internal: boolean
  /** `DiscussionNote` or `DiffNote` in a discussion; null for an individual note. */
  type: NoteType | null
  /** When the note was written: ISO 8601, UTC, with milliseconds. Owners and administrators can set another time. */
  createdAt: string
  /** When the text was last changed: ISO 8601, UTC, with milliseconds. Initially equal to `createdAt`. */
  updatedAt: string
}

/** A comment or a system note: specification 1, "Note". */
export interface Note extends NoteRecord {
  /** Always null; files are uploads that the text links to. */
  attachment: null
  /** The user with the id `authorId`. */
  author: UserSummary
  /** Id of the issue, merge request, snippet or epic, unique on the instance (not the iid). */
  noteableId: number
  /** Kind of the item that the note belongs to. */
  noteableType: 'Issue' | 'MergeRequest' | 'Snippet' | 'Epic'
  /** The iid of an issue or merge request; null for snippets and epics. */
  noteableIid: number | null
  /** Whether the note belongs to a discussion that can be resolved. */
  resolvable: boolean
  /** Whether the noteable is confidential or the note is internal. */
  confidential: boolean
  /**
   * Title and file name of the noteable. Present where the specification requires them: on a single note of a snippet or
   * an epic, and on a new note that consists of one emoji.
   */
  title?: string
  /** File name of a snippet; null for other items. Present whenever `title` is. */
  fileName?: string | null
  /** Always null, because notes do not expire. Present whenever `title` is. */
  expiresAt?: null
  /** Changes by quick actions. Present only on a new note with quick actions in its text. */
  commandsChanges?: QuickActionChanges
}

/** The changes that the quick actions of a comment made, by field. */
export interface QuickActionChanges {
  /** `close` for `/close`, `reopen` for `/reopen`. */
  readonly stateEvent?: 'close' | 'reopen'
  /** New title of the item, after `/title`. */
  readonly title?: string
  /** True after `/confidential`, which makes an issue or epic confidential. */
  readonly confidential?: boolean
  /** True after `/lock`, false after `/unlock`. */
  readonly discussionLocked?: boolean
  /** Ids of all assignees after `/assign`, `/reassign` or `/unassign`. */
  readonly assigneeIds?: readonly number[]
  /** Ids of all reviewers after `/assign_reviewer`, `/reassign_reviewer` or `/unassign_reviewer`. */
  readonly reviewerIds?: readonly number[]
  /** Ids of the labels that `/label` names, including those that were present. */
  readonly addLabelIds?: readonly number[]
  /** Ids of the labels that `/unlabel` removed. */
  readonly removeLabelIds?: readonly number[]
  /** Ids of all labels after `/relabel`; empty after `/unlabel` without names. */
  readonly labelIds?: readonly number[]
  /** Id of the milestone after `/milestone`; null after `/remove_milestone`. */
  readonly milestoneId?: number | null
  /** Weight of the issue after `/weight`; null after `/clear_weight`. */
  readonly weight?: number | null
  /** Health of the issue after `/health_status`; null after `/clear_health_status`. */
  readonly healthStatus?: HealthStatus | null
  /** Day after `/due`, such as `2026-11-21`; null after `/remove_due_date`. */
  readonly dueDate?: string | null
  /** Estimated work in seconds after `/estimate`; 0 after `/remove_estimate`. */
  readonly timeEstimate?: number
  /** Work that `/spend` recorded, or `/remove_time_spent` removed. */
  readonly spendTime?: {
    /** Seconds; negative for less work. */
    readonly duration: number
    /** Day of the work, such as `2026-11-21`. */
    readonly spentAt: string
  }
  /** Id of the epic after `/epic`; null after `/remove_epic`. */
  readonly epicId?: number | null
  /** `incident` after `/promote_to_incident`. */
  readonly issueType?: IssueType
  /** Id of the issue that `/duplicate` names. */
  readonly canonicalIssueId?: number
  /** After `/subscribe` or `/unsubscribe`. */
  readonly subscriptionEvent?: 'subscribe' | 'unsubscribe'
  /** After `/draft` or `/ready`. */
  readonly wipEvent?: 'draft' | 'ready'
  /** True after `/approve`, false after `/unapprove`. */
  readonly approve?: boolean
  /** After `/request_changes` and `/submit_review`. */
  readonly reviewerState?: 'reviewed' | 'requested_changes'
  /** Name of the branch after `/target_branch`. */
  readonly targetBranch?: string
  /** True after `/merge`: the merge follows. */
  readonly merge?: true
  /** True after `/rebase`: the rebase follows. */
  readonly rebase?: true
  /** Name of the emoji after `/award`, such as `thumbsup`. */
  readonly emojiAward?: string
  /** `add` for `/todo`, `done` for `/done`. */
  readonly todoEvent?: 'add' | 'done'
}

/** The result of a text of quick actions only, which creates no note. */
export interface ExecutedQuickActions {
  /** Null, because no note was stored. */
  readonly id: null
  /** The changes that the quick actions made. */
  readonly commandsChanges: QuickActionChanges
  /** One text with a sentence per quick action, including those that could not be applied. */
  readonly summary: readonly string[]
}

/** The new note without its quick actions, or their effects if the text contained only quick actions. */
export type CreatedNote = Note | ExecutedQuickActions

/** A noteable as the signals about notes describe it. */
export interface NoteTarget {
  kind: NoteableKind
  id: number
  /** The number within the project or group; null for a snippet. */
  iid: number | null
  projectId: number | null
  groupId: number | null
  title: string
  authorId: number
}

/** A mentioned user who can read the noteable. */
export interface MentionedUser {
  readonly userId: number
  /** Whether the note begins with the mention. */
  readonly direct: boolean
}

/** In characters (Unicode code points): specification 1, "Limits". */
const maxNoteLength = 1_000_000

/** Why a body is invalid; undefined for a valid one. */
export const bodyProblem = (body: string): string | undefined => {
  if (body.trim() === '') return "can't be blank"
  if (body.length <= maxNoteLength) return undefined
  let pairs = 0
  for (let index = 0; index < body.length; index++) if ((body.codePointAt(index) ?? 0) > 0xffff) pairs++
  return body.length - pairs > maxNoteLength ? `is too long (maximum is ${maxNoteLength} characters)` : undefined
}
