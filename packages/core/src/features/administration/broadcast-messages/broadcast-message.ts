/** `banner` at the top of pages, or `notification` in a corner. */
export const broadcastTypes = ['banner', 'notification'] as const

export type BroadcastType = (typeof broadcastTypes)[number]

export const broadcastThemes = [
  'indigo',
  'light-indigo',
  'blue',
  'light-blue',
  'green',
  'light-green',
  'red',
  'light-red',
  'dark',
  'light',
] as const

/** A message to the users of the instance, which pages show. */
export interface BroadcastMessage {
  /** Id of the message. */
  id: number
  /** Text in Markdown. */
  message: string
  /** When it is first shown: ISO 8601, UTC, with milliseconds. */
  startsAt: string
  /** When it is no longer shown: ISO 8601, UTC, with milliseconds. */
  endsAt: string
  /** Whether it is shown now: from `startsAt` until before `endsAt`. */
  active: boolean
  /** `banner` at the top of pages, or `notification` in a corner. */
  broadcastType: BroadcastType
  /** Color of a banner, such as `indigo` or `light-red`. */
  theme: string
  /** Background color for clients without themes, such as `#E75E40`. */
  color: string
  /** Text color for clients without themes, such as `#FFFFFF`. */
  font: string
  /** Whether users can hide it. */
  dismissable: boolean
  /** Paths of the pages that show it, with `*` for any text; null for all. */
  targetPath: string | null
  /** Levels of the users who see it in projects and groups; empty for all users. */
  targetAccessLevels: readonly number[]
}

/** The columns of a message. */
export const messageColumns = [
  'id',
  'message',
  'startsAt',
  'endsAt',
  'broadcastType',
  'theme',
  'color',
  'font',
  'dismissable',
  'targetPath',
  'targetAccessLevels',
] as const satisfies readonly (keyof BroadcastMessage)[]
