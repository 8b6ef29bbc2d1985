/** An issue in the input of operations. */
export interface IssueReference {
  /** Id of the project that contains the issue. */
  project: number
  /** Number of the issue within the project (`iid`). */
  issue: number
}

/** A merge request in the input of operations. */
export interface MergeRequestReference {
  /** Id of the project that contains the merge request. */
  project: number
  /** Number of the merge request within the project (`iid`). */
  mergeRequest: number
}

/** A snippet of a project in the input of operations. */
export interface SnippetReference {
  /** Id of the project that contains the snippet. */
  project: number
  /** Id of the snippet. */
  snippet: number
}

/** An epic in the input of operations. */
export interface EpicReference {
  /** Id of the group that contains the epic. */
  group: number
  /** Number of the epic within the group (`iid`). */
  epic: number
}

/** An item that can have notes, in the input of operations. */
export type ItemReference = IssueReference | MergeRequestReference | SnippetReference | EpicReference

/** A discussion and its item. */
export interface DiscussionLocation {
  /** The item that the discussion belongs to, as the input of operations. */
  item: ItemReference
  /** Id of the discussion, 40 hexadecimal digits. */
  discussion: string
}

/** A note, its discussion and their item. */
export interface NoteLocation extends DiscussionLocation {
  /** Id of the note. */
  note: number
}

/** The project or the group of a milestone. */
export interface MilestoneLocation {
  /** Id of the project; null for a milestone of a group. */
  projectId: number | null
  /** Id of the group; null for a milestone of a project. */
  groupId: number | null
}
