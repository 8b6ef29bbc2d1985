/** A milestone of a project or a group. */
export interface Milestone {
  id: number
  /** The number within the project or group. */
  iid: number
  projectId: number | null
  groupId: number | null
  title: string
  description: string | null
  state: 'active' | 'closed'
  /** A date such as `2026-11-21`, or null. */
  startDate: string | null
  dueDate: string | null
  createdAt: string
  updatedAt: string
}
