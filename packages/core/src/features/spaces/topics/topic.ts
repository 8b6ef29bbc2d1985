/** A subject of projects, such as `kubernetes`. */
export interface Topic {
  /** Id of the topic on the instance. */
  id: number
  /** Name by which projects refer to it; unique regardless of case. */
  name: string
  /** Name for display. */
  title: string
  /** Text in Markdown; null for none. */
  description: string | null
  /** URL of the picture: null without one; a path of this site for an uploaded picture. */
  avatarUrl: string | null
  /** Number of all projects with the topic, whether or not the current user can see them. */
  totalProjectsCount: number
}
