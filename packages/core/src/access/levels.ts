/** Access levels, from specification 1, "Access levels". */
export const Access = { none: 0, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const

/** Levels that can be granted on a project. Owners of projects are owners of the group or personal namespace above. */
export const projectLevels: readonly number[] = [Access.guest, Access.reporter, Access.developer, Access.maintainer]

/** Levels that can be granted on a group. */
export const groupLevels: readonly number[] = [...projectLevels, Access.owner]

/** `Developer` for 30; for messages. */
export const levelName = (level: number): string =>
  ({ 0: 'No access', 10: 'Guest', 20: 'Reporter', 30: 'Developer', 40: 'Maintainer', 50: 'Owner' })[level] ??
  String(level)

export const visibilities = ['private', 'internal', 'public'] as const

/** `public`: everyone. `internal`: every signed-in user who is not external. `private`: members. */
export type Visibility = (typeof visibilities)[number]

/** True when a child with this visibility could be seen by somebody who cannot see its parent. */
export const wider = (child: Visibility, parent: Visibility): boolean =>
  visibilities.indexOf(child) > visibilities.indexOf(parent)

/** The one of the two that fewer people see. */
export const narrower = (one: Visibility, other: Visibility): Visibility => (wider(one, other) ? other : one)

export const featureLevels = ['disabled', 'private', 'enabled'] as const

/** Who may use a part of a project. `enabled`: whoever sees the project. `private`: its members. `disabled`: nobody. */
export type FeatureLevel = (typeof featureLevels)[number]
