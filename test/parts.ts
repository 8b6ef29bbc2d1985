import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const testFilePatterns = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/*/*.test.ts']

/** `main` is run by `pnpm test`, in at most five minutes. `pnpm test:all` also runs `rest`. */
export type Part = 'main' | 'rest'

export const parts: readonly Part[] = ['main', 'rest']

/** Beginnings of the paths of test files, with the reason why `pnpm test` does not run them. All other files are part of it. */
export const slowPaths: Readonly<Record<string, string>> = {
  'examples/': 'install and start applications',
  'packages/core/src/db/copy/': 'copies databases with all kinds of rows',
  'packages/core/src/features/accounts/removal/': 'writes and removes thousands of comments',
  'packages/core/src/features/code/pull-mirrors/': 'fetch from other git servers',
  'packages/core/src/features/code/remote-mirrors/': 'push to other git servers',
  'packages/core/src/features/code/repository/contributors': 'counts histories of thousands of commits',
  'packages/core/src/features/code/repository/repository-lock': 'waits for locks of other processes',
  'packages/core/src/features/code/repository/repository.test': 'starts a git process for each change',
  'packages/core/src/features/collaboration/merge-requests/merging/': 'merge with git',
  'packages/core/src/features/delivery/ci-config/hostile': 'plans the largest pipeline files',
  'packages/core/src/features/delivery/container-repositories/external-registry': 'starts a registry',
  'packages/core/src/features/delivery/dependencies/scan': 'pushes lock files to repositories',
  'packages/core/src/features/delivery/pipelines/push-pipelines': 'pushes with git',
  'packages/core/src/ports/git-binary/': 'start hundreds of git processes',
  'packages/core/src/ports/markdown/hostile': 'renders large hostile texts',
  'packages/core/src/x509/certificate-text': 'compares hundreds of certificates with another program',
  'test/cli/': 'start the command as a process',
  'test/clients/gitbeaker-extensions': 'calls every route beyond the specification with a client',
  'test/clients/gitbeaker-routes': 'calls every route of the specification with a client',
  'test/clients/python-gitlab-extensions': 'calls every route beyond the specification with a client',
  'test/clients/sentry': 'starts the command and an application as processes',
  'test/contract/every-list': 'requests every list twice',
  'test/contract/file-paths': 'writes files with all kinds of names with git',
  'test/contract/fork-merge-requests': 'merges branches of several repositories with git',
  'test/contract/reference-names': 'creates references with all kinds of names with git',
  'test/contract/repository-content': 'reads trees, archives and comparisons with git',
  'test/docs/': 'run the code and the commands of the documentation, and apply the recipes to a copy of the workspace',
  'test/durability/': 'kill servers and wait for leases',
  'test/examples/': 'run the commands in the READMEs of the examples',
  'test/fixtures/': 'start other test runners',
  'test/git/': 'compare with hundreds of git processes',
  'test/graphql/fields': 'sends hostile values to all fields',
  'test/http/conditional-removals': 'removes an object through every route, and compares the database',
  'test/http/hostile-input': 'sends ten thousands of requests',
  'test/http/large-requests': 'sends requests of the largest sizes',
  'test/http/paged-lists': 'requests every list more than ten times',
  'test/http/present-values': 'reads the whole database hundreds of times',
  'test/oauth/pages-in-browser': 'starts a browser',
  'test/openapi/curl-samples': 'sends the sample of every route',
  'test/openapi/generated-clients.test.ts': 'generates and compiles clients',
  'test/packed/': 'build and install the packages',
  'test/pages/': 'start a browser',
  'test/permissions/companions': 'prepares a merge request with branches for each case',
  'test/permissions/pipelines': 'pushes pipelines with git for each role',
  'test/permissions/repository': 'starts a thousand git processes',
  'test/random/': 'sends thousands of requests',
  'test/reference/descriptions/': 'compile all packages for their comments',
  'test/registry/docker-clients': 'starts a registry and its clients',
  'test/services/': 'start servers of others, and wait for their time limits',
  'test/tools/': 'install and run tools of others',
}

/**
 * Beginnings of the paths of files that `pnpm test` also runs on PostgreSQL, with the reason. Only files that import
 * `test/world.ts` can run there; `pnpm test:all` runs all of them.
 */
export const postgresPaths: Readonly<Record<string, string>> = {
  'packages/core/src/db/': 'stores, locks, migrations and statements of each engine',
  'packages/core/src/kernel/': 'transactions, jobs and paging',
  'packages/core/src/executor': 'order of commands, retries',
  'packages/core/src/platform': 'sessions, domain events',
  'test/contract/': 'every route of every family',
  'test/model/': 'random commands, concurrency',
  'test/plans/': 'query plans',
}

/**
 * Exceptions of `postgresPaths`: their results come from git and from rules, which are the same with both databases, or they are long.
 */
export const sqliteFirstPaths: Readonly<Record<string, string>> = {
  'test/contract/default-branch-protection': 'rules of pushes',
  'test/contract/diff-positions': 'diffs of git',
  'test/contract/documented-fields': 'fields of all families',
  'test/contract/environment-ends': 'branches and merges of git',
  'test/contract/environments': 'rules of deployments',
  'test/contract/fork-': 'branches and merges of several repositories',
  'test/contract/list-filters': 'filters of all families',
  'test/contract/merges': 'merges of git',
  'test/contract/pages-sites': 'files of archives',
  'test/contract/pipelines': 'rules of pipeline files',
  'test/contract/project-settings': 'values of settings',
  'test/contract/project-templates': 'copies repositories',
  'test/contract/protected-references': 'rules of pushes and merges',
  'test/contract/quick-actions': 'words of comments',
  'test/contract/repository.': 'trees, archives and comparisons of git',
  'test/contract/review-and-release': 'diffs, tags and files',
  'test/contract/scim': 'texts of SCIM filters and errors',
  'test/contract/suggestions': 'changes of files',
  'test/model/access': 'random memberships and lists',
  'test/model/fork-merge-requests': 'random merges of git',
  'test/model/recipients': 'random memberships and subscriptions',
}

const startsWith = (paths: Readonly<Record<string, string>>, file: string) =>
  Object.keys(paths).some((path) => file.startsWith(path))

const testFiles: readonly string[] = globSync(testFilePatterns, { cwd: root }).sort()

export const listTestFiles = (): readonly string[] => testFiles

/** Files that import `world.ts` run on both databases; all others run on SQLite only, or do not use a database. */
const runsOnBoth = (file: string): boolean =>
  /from '(\.\.\/)*(\.\/)?(test\/)?world\.ts'/.test(readFileSync(join(root, file), 'utf8'))

const partOnSqlite = (file: string): Part => (startsWith(slowPaths, file) ? 'rest' : 'main')

const partOnPostgres = (file: string): Part =>
  partOnSqlite(file) === 'main' && startsWith(postgresPaths, file) && !startsWith(sqliteFirstPaths, file)
    ? 'main'
    : 'rest'

const isIn = (part: Part | undefined, filePart: Part) => part === undefined || part === filePart

/** The files of a part, or of both. */
export const listSqliteFiles = (part?: Part): string[] =>
  listTestFiles().filter((file) => isIn(part, partOnSqlite(file)))

export const listPostgresFiles = (part?: Part): string[] =>
  listTestFiles().filter((file) => runsOnBoth(file) && isIn(part, partOnPostgres(file)))

const formatRows = (paths: Readonly<Record<string, string>>) =>
  Object.entries(paths).map(([path, reason]) => `| \`${path}\` | ${reason} |`)

/** The tables of test/README.md. */
export const formatPartTables = (): readonly string[][] => [slowPaths, postgresPaths, sqliteFirstPaths].map(formatRows)
