import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { hasAbility } from '../../policy/authorize.ts'
import { type Dependency, packageManagers, severities } from './dependency.ts'

const Text = v.pipe(v.string(), v.maxLength(1_024))

const DependencyInput = v.strictObject({
  name: v.pipe(Text, v.nonEmpty()),
  version: v.optional(Text, ''),
  packageManager: v.picklist(packageManagers),
  dependencyFilePath: v.optional(Text, ''),
  vulnerabilities: v.optional(
    v.pipe(v.array(v.strictObject({ name: Text, severity: v.picklist(severities) })), v.maxLength(1_000)),
    [],
  ),
})

/** Rows per insert statement: databases limit the number of parameters. */
const batchSize = 500

export const dependencies = {
  /**
   * Lists the dependencies of the last report by name; empty without a report. Only developers and above can read the
   * vulnerabilities (specification 2, "Dependencies").
   */
  list: query({
    on: project,
    can: 'dependency.list',
    tier: 'paid',
    input: { ...pagingEntries, packageManager: v.optional(v.array(v.picklist(packageManagers))) },
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

  /** Replaces the dependencies of a project by a new report. Returns the number of dependencies. */
  report: command({
    on: project,
    can: 'dependency.report',
    tier: 'paid',
    input: { dependencies: v.pipe(v.array(DependencyInput), v.maxLength(20_000)) },
    async run(ctx, { dependencies: reported }, subject): Promise<{ total: number }> {
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
