import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { may } from '../../policy.ts'
import { type Dependency, packageManagers, severities } from './dependency.ts'

const Text = v.pipe(v.string(), v.maxLength(1_024))

const Reported = v.strictObject({
  name: v.pipe(Text, v.nonEmpty()),
  version: v.optional(Text, ''),
  packageManager: v.picklist(packageManagers),
  dependencyFilePath: v.optional(Text, ''),
  vulnerabilities: v.optional(
    v.pipe(v.array(v.strictObject({ name: Text, severity: v.picklist(severities) })), v.maxLength(1_000)),
    [],
  ),
})

/** Rows of one statement: databases bound how many values it may hold. */
const batch = 500

export const dependencies = {
  /**
   * What a project is built of, by name: as the last report says, nothing without one. Vulnerabilities are for developers
   * and above (specification 2, "Dependencies").
   */
  list: query({
    on: project,
    can: 'dependency.list',
    tier: 'paid',
    input: { ...paging, packageManager: v.optional(v.array(v.picklist(packageManagers))) },
    run(ctx, { packageManager = [], ...at }, subject) {
      const rows = ctx.db
        .selectFrom('dependency')
        .where('projectId', '=', subject.project.id)
        .orderBy('name')
        .orderBy('version')
        .orderBy('id')
        .select(['name', 'version', 'packageManager', 'dependencyFilePath', 'vulnerabilities'])
      const secure = may<'project'>(ctx.actor, subject, 'dependency.readVulnerabilities')
      return paginate(
        packageManager.length ? rows.where('packageManager', 'in', packageManager) : rows,
        at,
        ({ vulnerabilities, ...row }): Dependency => (secure ? { ...row, vulnerabilities } : row),
      )
    },
  }),

  /** Replaces what is known of a project's dependencies by a new report. Answers how many it holds. */
  report: command({
    on: project,
    can: 'dependency.report',
    tier: 'paid',
    input: { dependencies: v.pipe(v.array(Reported), v.maxLength(20_000)) },
    async run(ctx, { dependencies: reported }, subject): Promise<{ total: number }> {
      const { id: projectId } = subject.project
      await ctx.db.deleteFrom('dependency').where('projectId', '=', projectId).execute()
      for (let at = 0; at < reported.length; at += batch) {
        const rows = reported.slice(at, at + batch).map((one) => ({ projectId, ...one }))
        await ctx.db.insertInto('dependency').values(rows).execute()
      }
      return { total: reported.length }
    },
  }),
}
