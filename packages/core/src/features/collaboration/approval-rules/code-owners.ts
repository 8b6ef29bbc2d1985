import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { Access } from '../../../access/levels.ts'
import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { isUnexpired, lower } from '../../../db/functions.ts'
import { type Context, today } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { isWriteRejection } from '../../../kernel/errors.ts'
import { findUserIdByEmail } from '../../accounts/users/email-addresses.ts'
import { asUser } from '../../accounts/users/grantees.ts'
import { findOwnedPatterns, type OwnedPattern } from '../../code/code-owners/code-owners-file.ts'
import { readCodeOwners } from '../../code/code-owners/read.ts'
import type { OpenedRepository } from '../../code/repository/opened-repository.ts'
import { replaceApprovers } from './approvers.ts'
import { selectRulesOf } from './queries.ts'

/** Rules of code owners in one merge request, and owners of each; further ones are ignored. Each takes several statements. */
const maxRules = 100
const maxOwners = 50

/** Files whose owners are looked up. */
const maxPaths = 1_000

interface Owners {
  readonly userIds: readonly number[]
  readonly groupIds: readonly number[]
}

/** Owners must be able to approve. */
const mayApprove = async (ctx: Context, project: Project, userId: number): Promise<boolean> => {
  const user = await asUser(ctx, userId)
  return user !== undefined && (user.admin || (await getProjectAccessLevel(user, project)) >= Access.developer)
}

const roleLevels: ReadonlyMap<string, number> = new Map([
  ['developer', Access.developer],
  ['maintainer', Access.maintainer],
  ['owner', Access.owner],
])

/** The direct members of the project who have exactly this role. */
const findRoleMembers = async (ctx: Context, project: Project, role: string): Promise<Owners> => {
  const level = roleLevels.get(role.toLowerCase().replace(/s$/, ''))
  if (level === undefined) return { userIds: [], groupIds: [] }
  const rows = await ctx.db
    .selectFrom('member')
    .where('projectId', '=', project.id)
    .where('accessLevel', '=', level)
    .where(isUnexpired('member.expiresAt', today(ctx)))
    .orderBy('userId')
    .limit(maxRules)
    .select('userId')
    .execute()
  return { userIds: rows.map(({ userId }) => userId), groupIds: [] }
}

const findNamed = async ({ db }: Context, name: string) => {
  const user = db.selectFrom('user').where(lower('username'), '=', name.toLowerCase())
  const group = db.selectFrom('namespace').where(lower('fullPath'), '=', name.toLowerCase()).where('kind', '=', 'group')
  return {
    userId: (await user.where('state', '=', 'active').select('id').executeTakeFirst())?.id,
    groupId: (await group.select('id').executeTakeFirst())?.id,
  }
}

const findOwner = async (ctx: Context, project: Project, written: string): Promise<Owners> => {
  if (written.startsWith('@@')) return findRoleMembers(ctx, project, written.slice(2))
  const { userId, groupId } = written.startsWith('@')
    ? await findNamed(ctx, written.slice(1))
    : { userId: await findUserIdByEmail(ctx, written), groupId: undefined }
  const isEligible = userId !== undefined && (await mayApprove(ctx, project, userId))
  return { userIds: isEligible ? [userId] : [], groupIds: groupId === undefined ? [] : [groupId] }
}

const findOwners = async (ctx: Context, project: Project, names: readonly string[]): Promise<Owners> => {
  const found: Owners[] = []
  for (const name of names.slice(0, maxOwners)) found.push(await findOwner(ctx, project, name))
  return {
    userIds: [...new Set(found.flatMap(({ userIds }) => userIds))],
    groupIds: [...new Set(found.flatMap(({ groupIds }) => groupIds))],
  }
}

interface Target {
  readonly id: number
  readonly projectId: number
  readonly targetBranch: string
  readonly state: string
}

const insertRule = async (ctx: Context, { id, projectId }: Target, rule: OwnedPattern, approvalsRequired: number) => {
  const row = await ctx.db
    .insertInto('approvalRule')
    .values({
      ...{ projectId, mergeRequestId: id, sourceRuleId: null, name: rule.pattern, section: rule.section },
      ...{ ruleType: 'code_owner', approvalsRequired, appliesToAllProtectedBranches: false },
      ...{ createdAt: ctx.now, updatedAt: ctx.now },
    } satisfies CompleteRow<'approvalRule'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Replaces the rules of code owners. A rule without an owner who can approve requires no approval. */
const storeRules = async (ctx: Context, target: Target, owned: readonly OwnedPattern[]): Promise<void> => {
  const project = await findProject(ctx, target.projectId)
  if (project === undefined || ctx.tier === 'free') return
  const rules = selectRulesOf(ctx, { projectId: target.projectId, mergeRequestId: target.id })
  const existing = await rules.where('ruleType', '=', 'code_owner').execute()
  const kept = new Set<number>()
  for (const rule of owned.slice(0, maxRules)) {
    const owners = await findOwners(ctx, project, rule.owners)
    const approvalsRequired = owners.userIds.length + owners.groupIds.length ? rule.approvalsRequired : 0
    const same = existing.find(({ name, section }) => name === rule.pattern && section === rule.section)
    const id = same?.id ?? (await insertRule(ctx, target, rule, approvalsRequired))
    if (same && same.approvalsRequired !== approvalsRequired)
      await ctx.db.updateTable('approvalRule').set({ approvalsRequired }).where('id', '=', id).execute()
    await replaceApprovers(ctx, id, owners, true)
    kept.add(id)
  }
  const unused = existing.map(({ id }) => id).filter((id) => !kept.has(id))
  if (unused.length) await ctx.db.deleteFrom('approvalRule').where('id', 'in', unused).execute()
}

const readChangedPaths = async (
  { repository, abortable }: OpenedRepository,
  { baseCommitSha: from, headCommitSha: to }: { readonly baseCommitSha: string; readonly headCommitSha: string },
): Promise<readonly string[]> => {
  const { diffs } = await repository.compare({ from, to, straight: true, maximumPatchBytes: 1, ...abortable })
  return [...new Set(diffs.flatMap(({ oldPath, newPath }) => [oldPath, newPath]))].slice(0, maxPaths)
}

/** Creates the rules of the code owners of the changed files, by the file in the target branch, of an open merge request. */
export const refreshCodeOwners = async (
  { write }: Pick<TransactionRunner, 'write'>,
  { mergeRequest, opened }: { readonly mergeRequest: Target; readonly opened: OpenedRepository | undefined },
  version: { readonly baseCommitSha: string; readonly headCommitSha: string },
): Promise<void> => {
  if (opened === undefined || mergeRequest.state !== 'opened') return
  const tip = await opened.repository.branch(mergeRequest.targetBranch)
  const sections = tip === undefined ? [] : await readCodeOwners(opened, tip)
  const owned = sections.length ? findOwnedPatterns(sections, await readChangedPaths(opened, version)) : []
  try {
    await write((ctx) => storeRules(ctx, mergeRequest, owned))
  } catch (error) {
    // Reads continue while writes are rejected.
    if (!isWriteRejection(error)) throw error
  }
}
