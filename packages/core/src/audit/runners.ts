import { findGroup } from '../access/namespaces.ts'
import { findProject } from '../access/projects.ts'
import type { Context } from '../kernel/context.ts'
import { type AuditEntry, auditEvent, groupEntity, projectEntity, readField, theInstance, toTarget } from './entry.ts'

/** A runner with its group, or its first project. */
const readRunner = async (ctx: Context, id: unknown) => {
  if (typeof id !== 'number') return undefined
  const row = await ctx.db
    .selectFrom('runner')
    .leftJoin('runnerProject', 'runnerProject.runnerId', 'runner.id')
    .where('runner.id', '=', id)
    .orderBy('runnerProject.id')
    .select(['runner.id', 'runner.description', 'runner.groupId', 'runnerProject.projectId'])
    .executeTakeFirst()
  if (!row) return undefined
  const group = row.groupId === null ? undefined : await findGroup(ctx, row.groupId)
  const project = row.projectId === null ? undefined : await findProject(ctx, row.projectId)
  const entity = project ? projectEntity(project) : group ? groupEntity(group) : theInstance
  return { ...row, entity }
}

type Runner = NonNullable<Awaited<ReturnType<typeof readRunner>>>

const describeRunner = (event: string, runner: Runner, customMessage: string) => [
  auditEvent(event, runner.entity, toTarget('Ci::Runner', runner, 'description'), { customMessage }),
]

/** A new runner of the instance, a group or a project. */
export const runnerCreated = (event: string, customMessage: string): AuditEntry => ({
  async describe({ ctx, result }) {
    const runner = await readRunner(ctx, readField(result, 'id'))
    return runner ? describeRunner(event, runner, customMessage) : []
  },
})

const isRunner = (value: unknown): value is Runner => readField(value, 'entity') !== undefined

/** A change of the runner that is the subject. */
export const ofRunner = (event: string, customMessage: string): AuditEntry => ({
  read: ({ ctx, subject }) => (subject.kind === 'runner' ? readRunner(ctx, subject.runner.id) : undefined),
  describe: ({ before }) => (isRunner(before) ? describeRunner(event, before, customMessage) : []),
})
