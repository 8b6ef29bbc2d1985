import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import {
  type Dependency,
  type DependencyFile,
  type DependencyReport,
  packageManagers,
  severities,
} from './dependency.ts'
import { toLicense } from './licenses.ts'
import { replaceDependencies } from './store.ts'

const Text = v.pipe(v.string(), v.maxLength(1_024))

const VulnerabilityInput = v.strictObject({
  /** Name or title, at most 1,024 characters. */
  name: Text,
  /** Severity, from `info` to `critical`; `unknown` if it could not be determined. */
  severity: v.picklist(severities),
})

const DependencyInput = v.strictObject({
  /** Name of the package in its package manager, 1 to 1,024 characters. */
  name: v.pipe(Text, v.nonEmpty()),
  /** Installed version, at most 1,024 characters. Default: empty. */
  version: v.optional(Text, ''),
  /** The package manager that installs the package. */
  packageManager: v.picklist(packageManagers),
  /** Path of the file that declares the package, relative to the repository root: `web/yarn.lock`. Default: empty. */
  dependencyFilePath: v.optional(Text, ''),
  /** Names of licenses, at most 20: SPDX expressions. Default: none. */
  licenses: v.optional(v.pipe(v.array(v.pipe(Text, v.nonEmpty())), v.maxLength(20)), []),
  /** Known vulnerabilities, at most 1,000. Default: none. */
  vulnerabilities: v.optional(v.pipe(v.array(VulnerabilityInput), v.maxLength(1_000)), []),
})

export const dependencies = {
  /**
   * Lists the packages in the lock files of the default branch of a project and in its last report, ordered by name and version.
   * A job reads `Gemfile.lock`, `composer.lock`, `pom.xml`, `package-lock.json`, `npm-shrinkwrap.json`, `requirements.txt`,
   * `Pipfile.lock`, `pnpm-lock.yaml` and `yarn.lock` in all folders after each push. Vulnerabilities come from the
   * `dependency_scanning` reports of jobs on that branch; only developers and above can read them.
   */
  list: query({
    on: project,
    can: 'dependency.list',
    tier: 'paid',
    input: {
      ...pagingEntries,
      /** Only packages of these package managers. Default, also if empty: of all. */
      packageManager: v.optional(v.array(v.picklist(packageManagers))),
    },
    run(ctx, { packageManager = [], ...paging }, subject) {
      const rows = ctx.db
        .selectFrom('dependency')
        .where('projectId', '=', subject.project.id)
        .orderBy('name')
        .orderBy('version')
        .orderBy('id')
        .select(['name', 'version', 'packageManager', 'dependencyFilePath', 'licenses', 'vulnerabilities'])
      const canReadVulnerabilities = hasAbility<'project'>(ctx.actor, subject, 'dependency.readVulnerabilities')
      return paginate(
        packageManager.length ? rows.where('packageManager', 'in', packageManager) : rows,
        paging,
        ({ vulnerabilities, licenses, ...row }): Dependency => ({
          ...row,
          licenses: licenses.map(toLicense),
          ...(canReadVulnerabilities && { vulnerabilities }),
        }),
      )
    },
  }),

  /** Lists the lock files whose packages are dependencies, by path. At most 100 files of 5 MiB, and 20 MiB together, are read. */
  listFiles: query({
    on: project,
    can: 'dependency.list',
    tier: 'paid',
    input: pagingEntries,
    run: (ctx, paging, { project: { id } }) =>
      paginate(
        ctx.db
          .selectFrom('dependencyFile')
          .where('projectId', '=', id)
          .orderBy('path')
          .select(['path', 'packageManager', 'problem', 'scannedAt']),
        paging,
        (row): DependencyFile => row,
      ),
  }),

  /** Replaces the dependencies of a project by those of a new report. The next push adds those of lock files again. */
  report: command({
    on: project,
    can: 'dependency.report',
    tier: 'paid',
    input: {
      /** The packages that the project uses now, at most 20,000; an empty list removes all. */
      dependencies: v.pipe(v.array(DependencyInput), v.maxLength(20_000)),
    },
    run: async (ctx, { dependencies: reported }, subject): Promise<DependencyReport> => ({
      total: await replaceDependencies(ctx, subject.project.id, reported, () => true),
    }),
  }),
}
