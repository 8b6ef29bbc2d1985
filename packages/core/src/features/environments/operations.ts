import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { matches } from '../../db/functions.ts'
import { refuseModified } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { literalPattern } from '../../kernel/search-text.ts'
import { cleanEnvironment, type Environment, type EnvironmentDetail } from './environment.ts'
import { environmentsOf, findEnvironment, lastDeployment, toEnvironment } from './queries.ts'
import { environmentSlug } from './slug.ts'

const Text = v.pipe(v.string(), v.maxLength(255))

/** Nobody chooses a slug, and saying so is better than ignoring it. */
const NoSlug = v.optional(
  v.pipe(
    v.string(),
    v.check(() => false, 'is automatically generated and cannot be changed'),
  ),
)

const notTogether: InputRule<{ name?: string | undefined; search?: string | undefined }> = ({ name, search }) =>
  name !== undefined && search !== undefined
    ? { fields: ['name', 'search'], message: 'cannot be used together' }
    : undefined

const refuseTakenName = async (ctx: Context, projectId: number, name: string, own = 0) => {
  const taken = await environmentsOf(ctx, projectId).where('name', '=', name).where('id', '!=', own).executeTakeFirst()
  if (taken) throw invalid({ name: ['has already been taken'] })
}

/** The first slug for the name that no environment of the project has: renamed ones keep theirs. */
const freeSlug = async (ctx: Context, projectId: number, name: string): Promise<string> => {
  for (let attempt = 0; ; attempt++) {
    const slug = environmentSlug(name, attempt)
    if (!(await environmentsOf(ctx, projectId).where('slug', '=', slug).executeTakeFirst())) return slug
  }
}

export const environments = {
  /** Environments of a project, by id: all, the one of a `name`, or those whose names begin with `search`. */
  list: query({
    on: project,
    can: 'environment.read',
    input: { ...paging, name: v.optional(Text), search: v.optional(Text) },
    rules: [notTogether],
    run(ctx, { name, search, ...at }, subject) {
      let rows = environmentsOf(ctx, subject.project.id).orderBy('id')
      if (name !== undefined) rows = rows.where('name', '=', name)
      if (search !== undefined) rows = rows.where(matches('name', `${literalPattern(search)}%`))
      return paginate(rows, at, toEnvironment)
    },
  }),

  /** One environment, with its newest successful deployment. */
  get: query({
    on: project,
    can: 'environment.read',
    input: { environment: Id },
    async run(ctx, { environment }, subject): Promise<EnvironmentDetail> {
      const row = await findEnvironment(ctx, subject.project.id, environment)
      return { ...toEnvironment(row), lastDeployment: await lastDeployment(ctx, subject.project, row.id) }
    },
  }),

  /** Adds an environment, which is available from the start. Its slug is made of its name (specification 2, "Environment"). */
  create: command({
    on: project,
    can: 'environment.manage',
    input: { name: v.string(), externalUrl: v.optional(v.nullable(v.string()), null), slug: NoSlug },
    async run(ctx, given, subject): Promise<Environment> {
      const { id: projectId } = subject.project
      const { name, externalUrl = null } = cleanEnvironment(given) as { name: string; externalUrl?: string | null }
      await refuseTakenName(ctx, projectId, name)
      const slug = await freeSlug(ctx, projectId, name)
      const [row] = await ctx.db
        .insertInto('environment')
        .values({ projectId, name, slug, externalUrl, state: 'available', createdAt: ctx.now, updatedAt: ctx.now })
        .returning('id')
        .execute()
      return { id: (row as { id: number }).id, name, slug, externalUrl, state: 'available' }
    },
  }),

  /** Changes the name or the address; the slug stays what it is. */
  update: command({
    on: project,
    can: 'environment.manage',
    input: {
      environment: Id,
      name: v.optional(v.string()),
      externalUrl: v.optional(v.nullable(v.string())),
      slug: NoSlug,
    },
    async run(ctx, { environment, ...given }, subject): Promise<Environment> {
      const own = await findEnvironment(ctx, subject.project.id, environment)
      const change = cleanEnvironment(given)
      if (change.name !== undefined) await refuseTakenName(ctx, subject.project.id, change.name, own.id)
      await ctx.db
        .updateTable('environment')
        .set({ ...change, updatedAt: ctx.now })
        .where('id', '=', own.id)
        .execute()
      return { ...toEnvironment(own), ...change }
    },
  }),

  /** Removes an environment and the record of its deployments. */
  remove: command({
    on: project,
    can: 'environment.manage',
    input: { environment: Id },
    async run(ctx, { environment }, subject) {
      const { id, updatedAt } = await findEnvironment(ctx, subject.project.id, environment)
      refuseModified(ctx, updatedAt)
      await ctx.db.deleteFrom('environment').where('id', '=', id).execute()
    },
  }),

  /** Says that nothing runs there any more. Stopping again changes nothing; the next successful deployment ends it. */
  stop: command({
    on: project,
    can: 'environment.manage',
    input: { environment: Id },
    async run(ctx, { environment }, subject): Promise<Environment> {
      const own = await findEnvironment(ctx, subject.project.id, environment)
      if (own.state === 'stopped') return toEnvironment(own)
      await ctx.db
        .updateTable('environment')
        .set({ state: 'stopped', updatedAt: ctx.now })
        .where('id', '=', own.id)
        .execute()
      return { ...toEnvironment(own), state: 'stopped' }
    },
  }),
}
