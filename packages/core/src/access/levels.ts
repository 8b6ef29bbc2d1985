/** Access levels, from specification 1, "Access levels". */
export const Access = { none: 0, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const

/** Levels that can be granted on a project. Project owners are the owners of its group or personal namespace. */
export const projectLevels: readonly number[] = [Access.guest, Access.reporter, Access.developer, Access.maintainer]

/** Levels that can be granted on a group. */
export const groupLevels: readonly number[] = [...projectLevels, Access.owner]

/** Levels that lists can filter by: those of the platform, and 5, 15 and 25 between them, which other services have. */
export const minimumLevels: readonly number[] = [5, Access.guest, 15, Access.reporter, 25, ...groupLevels.slice(2)]

/** The name of a level for messages: `Developer` for 30. */
export const formatLevel = (level: number): string =>
  ({ 0: 'No access', 10: 'Guest', 20: 'Reporter', 30: 'Developer', 40: 'Maintainer', 50: 'Owner' })[level] ??
  String(level)

export const visibilities = ['private', 'internal', 'public'] as const

/** `public`: everyone. `internal`: signed-in users who are not external. `private`: members. */
export type Visibility = (typeof visibilities)[number]

/** Whether a child with this visibility would be visible to users who cannot see its parent. */
export const isMoreVisible = (child: Visibility, parent: Visibility): boolean =>
  visibilities.indexOf(child) > visibilities.indexOf(parent)

/** The more restrictive of two visibilities. */
export const getLessVisible = (one: Visibility, other: Visibility): Visibility =>
  isMoreVisible(one, other) ? other : one

export const featureLevels = ['disabled', 'private', 'enabled'] as const

/** Who can use a feature of a project. `enabled`: users who can see the project. `private`: members. `disabled`: no one. */
export type FeatureLevel = (typeof featureLevels)[number]

/** The features whose levels policies read from `Project.restrictedFeatures`. Their settings are `<feature>AccessLevel`. */
export const restrictableFeatures = [
  'releases',
  'environments',
  'packageRegistry',
  'containerRegistry',
  'securityAndCompliance',
  'monitor',
  'featureFlags',
] as const

export type RestrictableFeature = (typeof restrictableFeatures)[number]

/** The levels of features that are not `enabled`. */
export type RestrictedFeatures = { readonly [K in RestrictableFeature]?: 'disabled' | 'private' | 'public' }

export const projectCreationLevels = ['noone', 'maintainer', 'developer', 'administrator', 'owner'] as const

/** Who can create projects in a group: `noone` and `administrator` permit it to administrators only. */
export type ProjectCreationLevel = (typeof projectCreationLevels)[number]

export const subgroupCreationLevels = ['owner', 'maintainer'] as const

/** Who can create subgroups of a group: owners, or maintainers and above. */
export type SubgroupCreationLevel = (typeof subgroupCreationLevels)[number]

/** Who can see the pipelines of a project that they can see. */
export type PipelineReaders = 'everyone' | 'members' | 'reporters' | 'nobody'
