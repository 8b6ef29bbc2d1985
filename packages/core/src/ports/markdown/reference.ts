/** What a reference in a text points at. */
export type ReferenceKind = 'issue' | 'merge_request' | 'user' | 'label' | 'milestone' | 'snippet' | 'epic' | 'commit'

/**
 * Something that a text refers to, as it was written: `#1`, `group/project!2`, `@user`, `~"two words"`, `%milestone`,
 * `$12`, `group&3`, a commit id, or the full URL of such an object. Whether it exists, and whether the reader may see
 * it, is for whoever resolves it.
 */
export interface Reference {
  readonly kind: ReferenceKind
  /** Path of a project as written; absent for things of the text's own project, and for users, groups and epics. */
  readonly project?: string
  /** Path of a group as written, for epics and for a group's milestones. */
  readonly group?: string
  /**
   * Number of an issue, merge request or epic within its owner, global id of a snippet, name of a user or full path of
   * a group, id or title of a label, number or title of a milestone, commit id in lower case (7 to 40 digits).
   */
  readonly value: string
  /** True when the value stood in quotes: it is a title even where it consists of digits. Labels and milestones only. */
  readonly quoted?: true
}

/** How a reference that its reader may see is shown. */
export interface Resolved {
  /** Absolute URL of the object. */
  readonly url: string
  /** Shown when the pointer rests on the link: a title, a name. */
  readonly title: string
  /** Shown instead of what was written: a user's `@name`, a label's title. */
  readonly text?: string
  /** `data-` attributes of the link, by full name; others are left out. */
  readonly attributes?: Readonly<Record<string, string>>
  /** Background of a label, `#` and 3 or 6 hexadecimal digits. */
  readonly color?: string
  /** Text on that background, in the same form. */
  readonly textColor?: string
}

/** Finds the object of a reference as its reader sees it; undefined when missing or invisible. */
export type Resolve = (reference: Reference) => Resolved | undefined

/** Most distinct references of one kind in a text; later ones stay text. */
const mostReferences = 1_000

const keyOf = ({ kind, project, group, value, quoted }: Reference) =>
  JSON.stringify([kind, project, group, value, quoted])

/** The distinct references of one text, in the order of their first appearance. */
export interface References {
  readonly all: readonly Reference[]
  /** The equal one that is known already, or this one; undefined when there are too many of its kind. */
  add(reference: Reference): Reference | undefined
}

export const references = (): References => {
  const all: Reference[] = []
  const known = new Map<string, Reference>()
  const counts = new Map<ReferenceKind, number>()
  return {
    all,
    add: (reference) => {
      const key = keyOf(reference)
      const equal = known.get(key)
      if (equal) return equal
      const count = counts.get(reference.kind) ?? 0
      if (count >= mostReferences) return undefined
      counts.set(reference.kind, count + 1)
      known.set(key, reference)
      all.push(reference)
      return reference
    },
  }
}
