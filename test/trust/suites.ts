type DatabaseName = 'sqlite' | 'postgres'

/** Test files that run with larger counts in `pnpm test:trust`. The normal tests run them with small counts. */
export interface Suite {
  readonly title: string
  /** Files, folders or parts of paths. */
  readonly files: readonly string[]
  readonly databases: readonly DatabaseName[]
  /** Environment variables that set the counts. */
  readonly variables?: Readonly<Record<string, string>>
}

const both: readonly DatabaseName[] = ['sqlite', 'postgres']

/** Every suite by its name for `pnpm test:trust <name>`, in the order in which they run. All suites together take at most 15 minutes on two idle cores. */
export const suites: Readonly<Record<string, Suite>> = {
  kills: {
    title: 'Servers killed during writes',
    files: ['test/durability/kill.test.ts'],
    databases: ['sqlite'],
    variables: { FORGELET_KILLS: '50' },
  },
  'two-servers': {
    title: 'Two servers on the same data, killed during writes',
    files: ['test/durability/two-servers.test.ts'],
    databases: both,
    variables: { FORGELET_KILLS: '50' },
  },
  hooks: {
    title: 'Webhooks of killed servers',
    files: ['test/durability/hooks.test.ts'],
    databases: ['sqlite'],
    variables: { FORGELET_KILLS: '30' },
  },
  outages: { title: 'Database outages', files: ['test/durability/postgres-outage.test.ts'], databases: ['postgres'] },
  faults: {
    title: 'Faults of files, clients and processes',
    files: [
      'test/cli/data-file.test.ts',
      'test/cli/shutdown.test.ts',
      'test/cli/workers.test.ts',
      'packages/fixtures/src/faults.test.ts',
    ],
    databases: ['sqlite'],
  },
  'hostile-input': {
    title: 'Hostile input to every route',
    files: ['test/http/hostile-input.test.ts'],
    databases: both,
    variables: { FORGELET_HOSTILE_INPUT: 'long' },
  },
  'hostile-texts': {
    title: 'Hostile requests and texts',
    files: ['test/http/large-requests.test.ts', 'test/http/sockets.test.ts', 'packages/core/src/ports/markdown/'],
    databases: ['sqlite'],
    variables: { FORGELET_PROPERTY_RUNS: '10' },
  },
  random: {
    title: 'Random requests',
    files: ['test/random/'],
    databases: both,
    variables: { FORGELET_RANDOM_REQUESTS: '5000' },
  },
  models: {
    title: 'Random commands compared with a model',
    files: ['test/model/'],
    databases: both,
    variables: { FORGELET_PROPERTY_RUNS: '10' },
  },
  predicates: {
    title: 'Lists compared with the policy in random worlds',
    files: ['test/predicates/', 'packages/core/src/access/readable-snippets.test.ts'],
    databases: both,
    variables: { FORGELET_PROPERTY_RUNS: '5' },
  },
  levels: {
    title: 'Access levels and statistics in random worlds',
    files: ['levels.property.test.ts', 'statistics.property.test.ts'],
    databases: both,
    variables: { FORGELET_PROPERTY_RUNS: '10' },
  },
  renovate: {
    title: 'Renovate with merge requests and automerge',
    files: ['test/tools/renovate.test.ts'],
    databases: ['sqlite'],
    variables: { FORGELET_RENOVATE: 'run' },
  },
  backstage: {
    title: 'Backstage: scaffolder actions and catalog providers',
    files: ['test/tools/backstage.test.ts'],
    databases: ['sqlite'],
    variables: { FORGELET_BACKSTAGE: 'run' },
  },
}
