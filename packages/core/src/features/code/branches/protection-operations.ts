import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { command } from '../../../kernel/operation.ts'
import {
  findRule,
  findRuleRow,
  insertRule,
  noGrantee,
  ofProject,
  removeRule,
  replaceGrants,
} from '../protected-references/queries.ts'
import { assertMayUnprotect } from '../protected-references/reference-access.ts'
import { readBranchByName } from '../repository/branch-state.ts'
import type { Branch } from '../repository/repository.ts'

const branchInput = {
  /** Name of an existing branch, case-sensitive. */
  branch: v.pipe(v.string(), v.maxLength(1_024)),
}

type Subject = Parameters<typeof readBranchByName>[1]

/** Changes the rule of an existing branch, and returns the branch as it is then. */
const changeRule = async (
  ctx: Context,
  subject: Subject,
  name: string,
  change: (ctx: Context) => Promise<void>,
): Promise<Deferred<Branch>> => {
  const readBefore = await readBranchByName(ctx, subject, name)
  return afterTransaction(async ({ write }) => {
    await readBefore()
    const readAfter = await write(async (ctx) => {
      await change(ctx)
      return readBranchByName(ctx, subject, name)
    })
    return readAfter()
  })
}

interface DeveloperRights {
  readonly push: boolean | undefined
  readonly merge: boolean | undefined
}

const toGrant = (action: 'push' | 'merge', isForDevelopers = false) =>
  ({ action, accessLevel: isForDevelopers ? 30 : 40, ...noGrantee }) as const

const protect = async (ctx: Context, { id: projectId }: Project, name: string, rights: DeveloperRights) => {
  const rule = await findRuleRow(ctx, ofProject(projectId), { kind: 'branch', name })
  if (!rule) {
    const grants = [toGrant('push', rights.push), toGrant('merge', rights.merge)]
    const options = { allowForcePush: false, codeOwnerApprovalRequired: false }
    await insertRule(ctx, ofProject(projectId), { kind: 'branch', name, ...options, grants })
    return
  }
  for (const action of ['push', 'merge'] as const)
    if (rights[action] !== undefined) await replaceGrants(ctx, rule.id, action, [toGrant(action, rights[action])])
}

/** The older way to protect single branches; `protectedBranches` has more options. */
export const branchProtection = {
  /**
   * Protects an existing branch, or changes which roles may push to it and merge into it. Further grants of the changed
   * actions are removed. `protectedBranches.create` also protects patterns and branches that do not exist yet, and can
   * grant rights to single users and groups.
   *
   * @throws PlatformError `not_found` if the branch does not exist
   */
  protect: command({
    on: project,
    can: 'protectedBranch.manage',
    serializes: 'project',
    input: {
      ...branchInput,
      /** Whether developers may push; without it, only maintainers may push to a newly protected branch. */
      developersCanPush: v.optional(v.boolean()),
      /** Whether developers may merge; without it, only maintainers may merge into a newly protected branch. */
      developersCanMerge: v.optional(v.boolean()),
    },
    run: (ctx, { branch, developersCanPush: push, developersCanMerge: merge }, subject) =>
      changeRule(ctx, subject, branch, (ctx) => protect(ctx, subject.project, branch, { push, merge })),
  }),

  /**
   * Ends the protection of an existing branch by a rule with its exact name. Patterns continue to apply;
   * `protectedBranches.remove` removes them.
   *
   * @throws PlatformError `not_found` if the branch does not exist
   */
  unprotect: command({
    on: project,
    can: 'protectedBranch.manage',
    serializes: 'project',
    input: branchInput,
    run: (ctx, { branch: name }, subject) =>
      changeRule(ctx, subject, name, async (ctx) => {
        const { project } = subject
        if (!(await findRuleRow(ctx, ofProject(project.id), { kind: 'branch', name }))) return
        const rule = await findRule(ctx, ofProject(project.id), { kind: 'branch', name })
        await assertMayUnprotect(ctx, subject, rule)
        await removeRule(ctx, rule.id)
      }),
  }),
}
