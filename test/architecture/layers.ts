/** The permitted imports between packages, layers and features; `architecture.test.ts` compares them with the source. */

/** Each package with the workspace packages that it may import. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  core: [],
  http: ['core'],
  fixtures: ['core', 'http'],
}

/**
 * The layers of core, lowest first, each with the layers that it may import at run time. `contract` contains only types, so
 * every layer may import it. A file directly in `src` is a separate layer.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  contract: ['contract'],
  shared: ['shared'],
  x509: ['x509'],
  network: ['network', 'shared', 'kernel'],
  kernel: ['kernel', 'shared'],
  ports: ['ports', 'kernel', 'shared', 'network'],
  db: ['db', 'kernel', 'shared'],
  access: ['access', 'db', 'kernel', 'shared'],
  policy: ['policy', 'policy.ts', 'access', 'kernel', 'shared'],
  'policy.ts': ['policy', 'kernel'],
  features: ['features', 'access', 'db', 'ports', 'network', 'x509', 'shared', 'kernel', 'policy', 'policy.ts'],
  seed: ['seed', 'features', 'access', 'kernel', 'shared'],
  'platform-interface.ts': [],
  'features.ts': ['features'],
  'session.ts': ['features.ts', 'kernel'],
  'listeners.ts': ['kernel'],
  'context-factory.ts': ['features.ts', 'kernel'],
  audit: ['audit', 'features.ts', 'features', 'access', 'db', 'kernel', 'shared'],
  'executor.ts': ['audit', 'context-factory.ts', 'policy', 'access', 'db', 'kernel', 'shared'],
  'platform.ts': [
    'executor.ts',
    'context-factory.ts',
    'listeners.ts',
    'features.ts',
    'session.ts',
    'seed',
    'access',
    'ports',
    'kernel',
  ],
}

/** Files of a feature that other features must not import; they may import its queries, subjects and domain files. */
export const privateToFeature = /(^|[-/])(operations|reactions|jobs|tables)\.ts$/

/** The groups of features, lowest first. A group imports only groups below it. */
export const groups: readonly string[] = [
  'administration',
  'accounts',
  'spaces',
  'code',
  'planning',
  'collaboration',
  'delivery',
  'integration',
]

/** Permitted imports from groups above. */
export const exceptions: readonly { readonly from: string; readonly to: string; readonly because: string }[] = [
  {
    from: 'packages/core/src/features/spaces/projects/readme.ts',
    to: 'packages/core/src/features/code/repository/branch-writer.ts',
    because: 'a project can be created with a README, which is a commit',
  },
  {
    from: 'packages/core/src/features/spaces/projects/creation-operations.ts',
    to: 'packages/core/src/features/code/forks/copy-repository.ts',
    because: 'a project can be created from a template, whose repository is copied as that of a fork',
  },
  {
    from: 'packages/core/src/features/spaces/projects/operations.ts',
    to: 'packages/core/src/features/code/repository/sync-head.ts',
    because: 'HEAD of the repository names the default branch of the project',
  },
]

/** Folders without operations, which several families share. */
export const sharedFolders: readonly string[] = [
  'accounts/removal',
  'administration/mail',
  'code/code-owners',
  'collaboration/account-mails',
  'code/protected-references',
  'code/pipeline-records',
  'collaboration/cross-references',
  'collaboration/quick-actions',
  'planning/issuables',
  'planning/quick-actions',
  'delivery/ci-config',
  'integration/archives',
]

/** Families with operations outside their folder, each with the other folder. */
export const furtherFolders: Readonly<Record<string, string>> = {
  // Pipelines of merge requests are created by the group above.
  mergeRequests: 'delivery/pipelines',
}
