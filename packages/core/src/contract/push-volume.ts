/**
 * How the change of one branch or tag is reported. A push that changes many is summarized, as in GitLab, so that it does not take a
 * multiple of the time that git takes.
 */
export interface PushVolume {
  /**
   * Number of changes that the event in the activity feed stands for: 1 for a change with an event of its own. In a large push, the
   * first new, moved or removed branch or tag stands for all of its kind, and the others have 0.
   */
  readonly activityCount: number
  /** Whether webhooks receive the change. */
  readonly sendsHooks: boolean
  /** Whether the change can create a pipeline of its branch or tag. */
  readonly createsPipeline: boolean
}
