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
  shared: ['shared', 'kernel'],
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
  'session.ts': ['features.ts'],
  'listeners.ts': ['kernel'],
  'context-factory.ts': ['features.ts', 'kernel'],
  'executor.ts': ['context-factory.ts', 'policy', 'access', 'db', 'kernel', 'shared'],
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

/** Folders that several features share, each with the first feature that imports it. */
export const sharedFolders: Readonly<Record<string, string>> = {
  removal: 'groups',
  issuables: 'issues',
  'user-removal': 'access-tokens',
  'group-records': 'shares',
  'pipeline-records': 'merge-requests',
  'award-emoji': 'notes',
  'ci-config': 'pipelines',
  'project-management': 'forks',
  'merge-request-changes': 'discussions',
}

/** Permitted imports from features below in the table. */
export const exceptions: readonly { readonly from: string; readonly to: string; readonly because: string }[] = []
