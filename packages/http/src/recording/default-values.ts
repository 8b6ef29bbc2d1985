import { isDeepStrictEqual } from 'node:util'
import { withDefaultProjectSettings } from '@forgelet/core/operations'

/** Values that a seed need not contain. */
export const groupDefaults = {
  requestAccessEnabled: true,
  shareWithGroupLock: false,
  projectCreationLevel: 'developer',
  subgroupCreationLevel: 'owner',
}

export const projectDefaults = {
  defaultBranch: 'main',
  requestAccessEnabled: true,
  issuesAccessLevel: 'enabled',
  mergeRequestsAccessLevel: 'enabled',
  repositoryAccessLevel: 'enabled',
  snippetsAccessLevel: 'enabled',
}

const projectSettings = withDefaultProjectSettings(null)

/** The fields that differ from the defaults. */
export const withoutDefaults = <T extends object>(fields: T, defaults: object): T =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !isDeepStrictEqual(value, (defaults as Readonly<Record<string, unknown>>)[name]),
    ),
  ) as T

/** The settings of a project that differ from the defaults; undefined if there are none. */
export const changedSettings = (settings: object | undefined): Record<string, unknown> | undefined => {
  const changed = withoutDefaults(settings ?? {}, projectSettings)
  return Object.keys(changed).length ? (changed as Record<string, unknown>) : undefined
}
