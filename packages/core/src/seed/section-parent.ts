export interface NewOrExisting {
  /** Full path. */
  readonly path: string
  /** Whether this seed created it. */
  readonly isNew: boolean
}

/** The project or group of a section. */
export type SectionParent =
  | ({ readonly project: number } & NewOrExisting)
  | ({ readonly group: number } & NewOrExisting)

/** The project of a section that only projects have. */
export const projectOf = (parent: SectionParent) => {
  if ('project' in parent) return parent.project
  throw new TypeError('Only projects have this section')
}

/** The part of a parent that selects it in the input of operations. */
export const toParentInput = (parent: SectionParent) =>
  'project' in parent ? { project: parent.project } : { group: parent.group }
