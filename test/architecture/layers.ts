/**
 * Which part of the workspace may use which. The test beside it reads the import lines and compares them with this.
 */

/** Packages, each with the packages of the workspace that it may import. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  core: [],
  http: ['core'],
  fixtures: ['core', 'http'],
}

/** The parts of core. A file directly in `src` is a part of its own, called by its name. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  kernel: ['kernel'],
  ports: ['ports', 'kernel'],
  db: ['db', 'kernel'],
  access: ['access', 'db', 'kernel', 'features'],
  features: ['features', 'access', 'db', 'ports', 'kernel', 'policy.ts', 'signals.ts', 'jobs.ts'],
  seed: ['seed', 'access', 'kernel', 'platform.ts'],
  'policy.ts': ['access', 'features', 'kernel'],
  'signals.ts': [],
  'jobs.ts': [],
  'database.ts': [],
  'features.ts': ['features'],
  'session.ts': ['features.ts'],
  'platform.ts': ['features.ts', 'session.ts', 'policy.ts', 'signals.ts', 'features', 'ports', 'kernel'],
}

/** Features whose reads and types `access/` is built on: it has to find what it judges. */
export const underAccess: readonly string[] = ['accounts', 'groups', 'projects']

/** Files of a feature that belong to it alone; every other one is a query, a subject or a noun that later ones may use. */
export const privateToFeature = /(^|[-/])(operations|reactions|jobs|tables)\.ts$/

/** Folders of things that several features have in common, each with the first feature that uses it. */
export const sharedFolders: Readonly<Record<string, string>> = {
  issuables: 'issues',
}

/** Asking upwards, where there is no other way. */
export const exceptions: readonly { readonly from: string; readonly to: string; readonly because: string }[] = [
  {
    from: 'packages/core/src/features/accounts/account.ts',
    to: 'packages/core/src/features/groups/queries.ts',
    because: 'a user comes into being together with the personal namespace that holds their projects',
  },
  {
    from: 'packages/core/src/features/accounts/account.ts',
    to: 'packages/core/src/features/groups/rename.ts',
    because: 'a new username is the new path of that namespace',
  },
]
