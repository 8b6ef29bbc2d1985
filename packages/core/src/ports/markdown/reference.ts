/** The kind of object that a reference links to. */
export type ReferenceKind = 'issue' | 'merge_request' | 'user' | 'label' | 'milestone' | 'snippet' | 'epic' | 'commit'

/**
 * A reference as written: `#1`, `group/project!2`, `@user`, `~"two words"`, `%milestone`, `$12`, `group&3`, a commit
 * id, or the full URL of such an object. The parser does not check that the object exists or is visible; `Resolve`
 * does.
 */
export interface Reference {
  readonly kind: ReferenceKind
  /** Path of the project as written; omitted for objects of the text's project, and for users, groups and epics. */
  readonly project?: string
  /** Path of the group as written, for epics and milestones of groups. */
  readonly group?: string
  /**
   * Number of an issue, merge request or epic within its owner, global id of a snippet, name of a user or full path of
   * a group, id or title of a label, number or title of a milestone, commit id in lower case (7 to 40 digits).
   */
  readonly value: string
  /** True when the value was quoted: digits are then a title, not a number. Labels and milestones only. */
  readonly quoted?: true
}

/** How a reference to a visible object is rendered. */
export interface Resolved {
  /** Absolute URL of the object. */
  readonly url: string
  /** `title` of the link: the title or name of the object. */
  readonly title: string
  /** Link text instead of the written one: a user's `@name`, a label's title. */
  readonly text?: string
  /** `data-` attributes of the link by full name; other names are ignored. */
  readonly attributes?: Readonly<Record<string, string>>
  /** Background color of a label: `#` and 3 or 6 hexadecimal digits. */
  readonly color?: string
  /** Text color of a label, in the same form. */
  readonly textColor?: string
}

/** Returns how to render a reference for the current user; undefined when its object is missing or not visible. */
export type Resolve = (reference: Reference) => Resolved | undefined

/** Maximum distinct references of one kind in a text; later ones stay text. */
const maxReferencesPerKind = 1_000

const keyOf = ({ kind, project, group, value, quoted }: Reference) =>
  JSON.stringify([kind, project, group, value, quoted])

/** The distinct references of one text, in the order of their first appearance. */
export interface ReferenceCollector {
  readonly all: readonly Reference[]
  /** Returns the equal reference that was added before, or this one; undefined above the limit of its kind. */
  add(reference: Reference): Reference | undefined
}

export const createReferenceCollector = (): ReferenceCollector => {
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
      if (count >= maxReferencesPerKind) return undefined
      counts.set(reference.kind, count + 1)
      known.set(key, reference)
      all.push(reference)
      return reference
    },
  }
}
