import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { type Dependency, type DependencyReport, packageManagers, severities } from './dependency.ts'

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
  /** Known vulnerabilities, at most 1,000. Default: none. */
  vulnerabilities: v.optional(v.pipe(v.array(VulnerabilityInput), v.maxLength(1_000)), []),
})

/** Rows per insert statement: databases limit the number of parameters. */
const batchSize = 500

export const dependencies = {
  /**
   * Lists the packages that the last report of a project contains, ordered by name and version. Only developers and above can
   * read their vulnerabilities.
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
        .select(['name', 'version', 'packageManager', 'dependencyFilePath', 'vulnerabilities'])
      const canReadVulnerabilities = hasAbility<'project'>(ctx.actor, subject, 'dependency.readVulnerabilities')
      return paginate(
        packageManager.length ? rows.where('packageManager', 'in', packageManager) : rows,
        paging,
        ({ vulnerabilities, ...row }): Dependency => (canReadVulnerabilities ? { ...row, vulnerabilities } : row),
      )
    },
  }),

  /** Replaces the dependencies of a project by those of a new report. */
  report: command({
    on: project,
    can: 'dependency.report',
    tier: 'paid',
    input: {
      /** The packages that the project uses now, at most 20,000; an empty list removes all. */
      dependencies: v.pipe(v.array(DependencyInput), v.maxLength(20_000)),
    },
    async run(ctx, { dependencies: reported }, subject): Promise<DependencyReport> {
      const { id: projectId } = subject.project
      await ctx.db.deleteFrom('dependency').where('projectId', '=', projectId).execute()
      for (let start = 0; start < reported.length; start += batchSize) {
        const rows = reported
          .slice(start, start + batchSize)
          .map((row) => ({ projectId, ...row }) satisfies CompleteRow<'dependency'>)
        await ctx.db.insertInto('dependency').values(rows).execute()
      }
      return { total: reported.length }
    },
  }),
}
