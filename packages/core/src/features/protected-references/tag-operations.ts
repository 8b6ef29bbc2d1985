import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../kernel/paging.ts'
import { describeGrants, GrantList, Level, toGrants } from './grants.ts'
import type { ProtectedTag, ReferenceGrant } from './protected-reference.ts'
import { insertRule, type ReferenceRule, selectRules, withGrantsOf } from './queries.ts'

const nameInput = {
  /** Name of the tag or pattern, exactly as it was protected. */
  name: v.string(),
}

const selectTags = (ctx: Context, projectId: number) => selectRules(ctx, projectId).where('kind', '=', 'tag')

const toProtectedTags = async (ctx: Context, rules: readonly ReferenceRule[]): Promise<ProtectedTag[]> => {
  const described = await describeGrants(
    ctx,
    rules.flatMap(({ grants }) => grants),
  )
  return rules.map(({ name, grants }) => ({
    name,
    createAccessLevels: grants.map(({ id }) => described.get(id) as ReferenceGrant),
  }))
}

const readTag = async (ctx: Context, projectId: number, name: string): Promise<ProtectedTag> => {
  const row = await selectTags(ctx, projectId).where('name', '=', name).executeTakeFirst()
  if (!row) throw notFound()
  return (await toProtectedTags(ctx, await withGrantsOf(ctx, [row])))[0] as ProtectedTag
}

export const protectedTags = {
  /** Lists the protected tags of a project, ordered by name. */
  list: query({
    on: project,
    can: 'protectedTag.read',
    input: pagingEntries,
    async run(ctx, paging, { project }): Promise<Page<ProtectedTag>> {
      const page = await paginate(selectTags(ctx, project.id).orderBy('name'), paging, (row) => row)
      return { ...page, items: await toProtectedTags(ctx, await withGrantsOf(ctx, page.items)) }
    },
  }),

  /** Gets a protected tag by its name or pattern. */
  get: query({
    on: project,
    can: 'protectedTag.read',
    input: nameInput,
    run: (ctx, { name }, { project }) => readTag(ctx, project.id, name),
  }),

  /**
   * Protects a tag, or all whose names match a pattern: nobody can move it, only users with a grant can create it, and only
   * maintainers can delete it.
   *
   * @throws PlatformError `conflict` if the name is protected already, `unprocessable` for an impossible grant
   */
  create: command({
    on: project,
    can: 'protectedTag.manage',
    serializes: 'project',
    input: {
      /** Name of the tag, which need not exist, or a pattern in which `*` stands for any text: `v*`. */
      name: v.string(),
      /** The role that may create the tag: 0 no one, 30 developers, 40 maintainers (default), 60 administrators. */
      createAccessLevel: Level,
      /** Further grants to create the tag. */
      allowedToCreate: GrantList,
    },
    async run(ctx, { name, createAccessLevel: level, allowedToCreate: list }, { project }) {
      if (name.trim() === '') throw invalid({ name: ["can't be blank"] })
      if (name.length > 255) throw invalid({ name: ['is too long (maximum is 255 characters)'] })
      const existing = await selectTags(ctx, project.id).where('name', '=', name).executeTakeFirst()
      if (existing) throw conflict(`Protected tag '${name}' already exists`)
      const grants = await toGrants(ctx, project, 'create', { level, list, fallback: 40 })
      const rule = { kind: 'tag', name, allowForcePush: false, codeOwnerApprovalRequired: false } as const
      await insertRule(ctx, project.id, { ...rule, grants })
      return readTag(ctx, project.id, name)
    },
  }),

  /** Ends the protection of a tag or pattern. */
  remove: command({
    on: project,
    can: 'protectedTag.manage',
    serializes: 'project',
    input: nameInput,
    async run(ctx, { name }, { project }) {
      const row = await selectTags(ctx, project.id).where('name', '=', name).executeTakeFirst()
      if (!row) throw notFound()
      await ctx.db.deleteFrom('protectedReference').where('id', '=', row.id).execute()
    },
  }),
}
