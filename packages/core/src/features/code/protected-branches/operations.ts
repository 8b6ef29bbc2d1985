import * as v from 'valibot'
import { container, toPlaceKey } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { matchesSearch } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { atLeastOne } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { defined } from '../../../shared/defined.ts'
import { GrantList, Level, PushGrantList, toGrants, toProtectedBranches } from '../protected-references/grants.ts'
import type { GrantAction, ProtectedBranch } from '../protected-references/protected-reference.ts'
import {
  assertNewName,
  findRule,
  insertRule,
  removeRule,
  replaceGrants,
  selectEffectiveRules,
  selectRules,
  withGrantsOf,
} from '../protected-references/queries.ts'
import { assertMayUnprotect } from '../protected-references/reference-access.ts'

const nameInput = {
  /** Name of the branch or pattern, exactly as it was protected. */
  name: v.string(),
}

const optionsInput = {
  /** Whether users who may push may also replace commits. Default of a new rule: false. */
  allowForcePush: v.optional(v.boolean()),
  /** Stored without effect: code owners are not supported. Default of a new rule: false. */
  codeOwnerApprovalRequired: v.optional(v.boolean()),
}

type Owner = Subjects['project' | 'group']

/** Those of a group, or those of a project with those of the groups above it. */
const selectBranches = (ctx: Context, subject: Owner) =>
  (subject.kind === 'project'
    ? selectEffectiveRules(ctx, subject.project.id)
    : selectRules(ctx, toPlaceKey(subject))
  ).where('kind', '=', 'branch')

const findBranchRule = (ctx: Context, subject: Owner, name: string) =>
  findRule(ctx, toPlaceKey(subject), { kind: 'branch', name })

const readBranch = async (ctx: Context, subject: Owner, name: string): Promise<ProtectedBranch> => {
  const [row] = await selectBranches(ctx, subject).where('name', '=', name).orderBy('groupId').orderBy('id').execute()
  if (row === undefined) throw notFound()
  return defined((await toProtectedBranches(ctx, await withGrantsOf(ctx, [row]), subject.kind))[0])
}

export const protectedBranches = {
  /** Lists the protected branches of a project with those of the groups above it, or those of a group, ordered by name. */
  list: query({
    on: container,
    can: 'protectedBranch.read',
    input: {
      ...pagingEntries,
      /** Words that the name contains, in any order; at most 1,024 characters and 64 words. */
      search: v.optional(v.string(), ''),
    },
    async run(ctx, { search, ...paging }, subject): Promise<Page<ProtectedBranch>> {
      const rows = selectBranches(ctx, subject).orderBy('name').orderBy('id')
      const matches = matchesSearch(ctx.dialect, ['name'], parseSearchText(search))
      const page = await paginate(matches ? rows.where(matches) : rows, paging, (row) => row)
      return { ...page, items: await toProtectedBranches(ctx, await withGrantsOf(ctx, page.items), subject.kind) }
    },
  }),

  /** Gets a protected branch by its name or pattern. */
  get: query({
    on: container,
    can: 'protectedBranch.read',
    input: nameInput,
    run: (ctx, { name }, subject) => readBranch(ctx, subject, name),
  }),

  /**
   * Protects a branch of a project, or of all projects of a group, or all that match a pattern: it cannot be deleted with git, and only users with a grant can push to it
   * or merge into it. Where several rules cover a branch, the most permissive one decides.
   *
   * @throws PlatformError `conflict` if the name is protected already, `unprocessable` for an impossible grant
   */
  create: command({
    on: container,
    can: 'protectedBranch.manage',
    serializes: 'project',
    input: {
      /** Name of the branch, which need not exist, or a pattern in which `*` matches any text: `release/*`. */
      name: v.string(),
      /** The role that may push: 0 no one, 30 developers, 40 maintainers (default), 60 administrators. */
      pushAccessLevel: Level,
      /** The role that may merge: 0 no one, 30 developers, 40 maintainers (default), 60 administrators. */
      mergeAccessLevel: Level,
      /** The role that may end the protection: 30 developers, 40 maintainers (default), 60 administrators. */
      unprotectAccessLevel: Level,
      /** Further grants to push. */
      allowedToPush: PushGrantList,
      /** Further grants to merge. */
      allowedToMerge: GrantList,
      /** Further grants to end the protection. */
      allowedToUnprotect: GrantList,
      ...optionsInput,
    },
    async run(ctx, { name, allowForcePush = false, codeOwnerApprovalRequired = false, ...input }, subject) {
      const owner = toPlaceKey(subject)
      await assertNewName(ctx, owner, { kind: 'branch', name })
      const grants = await toGrants(ctx, subject, {
        push: { level: input.pushAccessLevel, list: input.allowedToPush, defaultLevel: 40 },
        merge: { level: input.mergeAccessLevel, list: input.allowedToMerge, defaultLevel: 40 },
        unprotect: { level: input.unprotectAccessLevel, list: input.allowedToUnprotect, defaultLevel: null },
      })
      const rule = { kind: 'branch', name, allowForcePush, codeOwnerApprovalRequired } as const
      await insertRule(ctx, owner, { ...rule, grants })
      return readBranch(ctx, subject, name)
    },
  }),

  /** Changes the options of a protected branch, and replaces the grants of each given list. */
  update: command({
    on: container,
    can: 'protectedBranch.manage',
    serializes: 'project',
    input: {
      ...nameInput,
      ...optionsInput,
      /** All grants to push. */
      allowedToPush: PushGrantList,
      /** All grants to merge. */
      allowedToMerge: GrantList,
      /** All grants to end the protection. */
      allowedToUnprotect: GrantList,
    },
    rules: [
      atLeastOne(
        'allowForcePush',
        'codeOwnerApprovalRequired',
        'allowedToPush',
        'allowedToMerge',
        'allowedToUnprotect',
      ),
    ],
    async run(ctx, { name, allowedToPush, allowedToMerge, allowedToUnprotect, ...options }, subject) {
      const rule = await findBranchRule(ctx, subject, name)
      await assertMayUnprotect(ctx, subject, rule)
      const lists = { push: allowedToPush, merge: allowedToMerge, unprotect: allowedToUnprotect }
      for (const [action, list] of Object.entries(lists) as [GrantAction, typeof allowedToPush][]) {
        if (list === undefined) continue
        const grants = await toGrants(ctx, subject, { [action]: { level: undefined, list, defaultLevel: null } })
        await replaceGrants(ctx, rule.id, action, grants)
      }
      if (Object.values(options).some((value) => value !== undefined))
        await ctx.db.updateTable('protectedReference').set(options).where('id', '=', rule.id).execute()
      return readBranch(ctx, subject, name)
    },
  }),

  /** Ends the protection of a branch or pattern. */
  remove: command({
    on: container,
    can: 'protectedBranch.manage',
    serializes: 'project',
    input: nameInput,
    async run(ctx, { name }, subject) {
      const rule = await findBranchRule(ctx, subject, name)
      await assertMayUnprotect(ctx, subject, rule)
      await removeRule(ctx, rule.id)
    },
  }),
}
