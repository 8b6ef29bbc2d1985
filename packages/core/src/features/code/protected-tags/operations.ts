import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { describeGrants, Level, PushGrantList, toGrants } from '../protected-references/grants.ts'
import type { ProtectedTag } from '../protected-references/protected-reference.ts'
import {
  assertNewName,
  findRule,
  insertRule,
  ofProject,
  type ReferenceRule,
  removeRule,
  selectRules,
  withGrantsOf,
} from '../protected-references/queries.ts'

const nameInput = {
  /** Name of the tag or pattern, exactly as it was protected. */
  name: v.string(),
}

const selectTags = (ctx: Context, projectId: number) => selectRules(ctx, ofProject(projectId)).where('kind', '=', 'tag')

const toProtectedTags = async (ctx: Context, rules: readonly ReferenceRule[]): Promise<ProtectedTag[]> => {
  const grantsOf = await describeGrants(ctx, rules)
  return rules.map((rule) => ({ name: rule.name, createAccessLevels: grantsOf(rule, 'create') }))
}

const readTag = async (ctx: Context, projectId: number, name: string): Promise<ProtectedTag> =>
  defined((await toProtectedTags(ctx, [await findRule(ctx, ofProject(projectId), { kind: 'tag', name })]))[0])

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
   * Protects a tag, or all that match a pattern: no one can move it, only users with a grant can create it, and only
   * maintainers can delete it.
   *
   * @throws PlatformError `conflict` if the name is protected already, `unprocessable` for an impossible grant
   */
  create: command({
    on: project,
    can: 'protectedTag.manage',
    serializes: 'project',
    input: {
      /** Name of the tag, which need not exist, or a pattern in which `*` matches any text: `v*`. */
      name: v.string(),
      /** The role that may create the tag: 0 no one, 30 developers, 40 maintainers (default), 60 administrators. */
      createAccessLevel: Level,
      /** Further grants to create the tag. */
      allowedToCreate: PushGrantList,
    },
    async run(ctx, { name, createAccessLevel: level, allowedToCreate: list }, subject) {
      const { project } = subject
      await assertNewName(ctx, ofProject(project.id), { kind: 'tag', name })
      const grants = await toGrants(ctx, subject, { create: { level, list, defaultLevel: 40 } })
      const rule = { kind: 'tag', name, allowForcePush: false, codeOwnerApprovalRequired: false } as const
      await insertRule(ctx, ofProject(project.id), { ...rule, grants })
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
      const { id } = await findRule(ctx, ofProject(project.id), { kind: 'tag', name })
      await removeRule(ctx, id)
    },
  }),
}
