import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { PackageManager, Vulnerability } from './dependency.ts'

/** A dependency to store. */
export interface NewDependency {
  readonly name: string
  readonly version: string
  readonly packageManager: PackageManager
  readonly dependencyFilePath: string
  /** Default: those that are stored. */
  readonly licenses?: readonly string[] | undefined
  /** Default: those that are stored. */
  readonly vulnerabilities?: readonly Vulnerability[] | undefined
}

/** Rows per statement: databases limit the number of parameters. */
const batchSize = 500

const keyOf = ({ name, version, packageManager, dependencyFilePath }: NewDependency) =>
  JSON.stringify([dependencyFilePath, packageManager, name, version])

const inBatches = async <T>(items: readonly T[], run: (batch: readonly T[]) => Promise<unknown>): Promise<void> => {
  for (let start = 0; start < items.length; start += batchSize) await run(items.slice(start, start + batchSize))
}

/**
 * Makes the dependencies from some files equal to a list, with rows for changes only. Returns the number of dependencies in the
 * list, each counted once.
 */
export async function replaceDependencies(
  ctx: Context,
  projectId: number,
  dependencies: readonly NewDependency[],
  isReplaced: (dependencyFilePath: string) => boolean,
): Promise<number> {
  const stored = await ctx.db
    .selectFrom('dependency')
    .where('projectId', '=', projectId)
    .select(['id', 'name', 'version', 'packageManager', 'dependencyFilePath', 'licenses', 'vulnerabilities'])
    .execute()
  const previous = new Map(stored.map((row) => [keyOf(row), row]))
  const next = new Map(dependencies.map((dependency) => [keyOf(dependency), dependency]))
  const kept = new Set<number>()
  const added: CompleteRow<'dependency'>[] = []
  for (const [key, { licenses, vulnerabilities, ...dependency }] of next) {
    const old = previous.get(key)
    const row = {
      projectId,
      ...dependency,
      licenses: licenses ?? old?.licenses ?? [],
      vulnerabilities: vulnerabilities ?? old?.vulnerabilities ?? [],
    } satisfies CompleteRow<'dependency'>
    const details = ({ licenses: names, vulnerabilities: known }: Pick<typeof row, 'licenses' | 'vulnerabilities'>) =>
      JSON.stringify([names, known])
    if (old && details(old) === details(row)) kept.add(old.id)
    else added.push(row)
  }
  const removed = stored.filter(
    (row) => !kept.has(row.id) && (isReplaced(row.dependencyFilePath) || next.has(keyOf(row))),
  )
  await inBatches(removed, (rows) => {
    const ids = rows.map(({ id }) => id)
    return ctx.db.deleteFrom('dependency').where('id', 'in', ids).execute()
  })
  await inBatches(added, (rows) => ctx.db.insertInto('dependency').values(rows).execute())
  return next.size
}
