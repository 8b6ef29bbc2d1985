import { setImmediate } from 'node:timers/promises'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import type { ChangedFile, Commit, ReferenceUpdate, Repository } from '../../../ports/git.ts'
import { selectPrivateEmails, toPrivateEmail } from '../../accounts/users/commit-email.ts'
import { readEmailAddresses } from '../../accounts/users/email-addresses.ts'
import { findUser } from '../../accounts/users/queries.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { createCommitCheck, hasCommitRules, type Pusher } from './commit-rules.ts'
import { compilePattern, findSecretPattern } from './patterns.ts'
import type { PushRuleValues } from './push-rule.ts'
import { findProjectRule } from './queries.ts'

/** The rule that applies to a push, and who pushes. */
export interface PushCheck {
  readonly rule: PushRuleValues
  readonly pusher: Pusher
  readonly defaultBranch: string
}

const maxCommits = 10_000
const mebibyte = 1024 ** 2

/** Texts that are compared before other requests of the process run. */
const pauseEvery = 100

/** The largest number of values in a condition. */
const emailsPerQuery = 500

const readPusher = async (ctx: Context, userId: number): Promise<Pusher> => {
  const user = await findUser(ctx, userId)
  const { name } = user
  const emails = [...(await readEmailAddresses(ctx, userId)), toPrivateEmail(await getSettings(ctx), user)]
  return { name, emails: new Set(emails.map((email) => email.toLowerCase())) }
}

/** The push rule that applies to a user; undefined if there is none, and for the host, which may do everything. */
export async function readPushCheck(
  ctx: Context,
  projectId: number,
  userId: number | null,
): Promise<PushCheck | undefined> {
  if (userId === null || ctx.actor.kind === 'system') return undefined
  const rule = await findProjectRule(ctx, projectId)
  if (!rule) return undefined
  const project = await ctx.db
    .selectFrom('project')
    .where('id', '=', projectId)
    .select('defaultBranch')
    .executeTakeFirst()
  return { rule, pusher: await readPusher(ctx, userId), defaultBranch: project?.defaultBranch ?? '' }
}

const findNameRefusal = ({ rule, defaultBranch }: PushCheck, { name, to }: ReferenceUpdate): string | undefined => {
  if (to === undefined)
    return rule.denyDeleteTag && name.startsWith('refs/tags/') ? 'You cannot delete a tag' : undefined
  const branch = name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : defaultBranch
  if (branch === defaultBranch || (compilePattern(rule.branchNameRegex)?.(branch) ?? true)) return undefined
  return `Branch name '${branch}' does not follow the pattern '${rule.branchNameRegex}'`
}

/** The first result of a check, with a pause for other requests after every hundred items. */
const findFirst = async <T>(
  items: readonly T[],
  check: (item: T) => Promise<string | undefined> | string | undefined,
): Promise<string | undefined> => {
  for (const [index, item] of items.entries()) {
    const refusal = await check(item)
    if (refusal !== undefined) return refusal
    if (index % pauseEvery === pauseEvery - 1) await setImmediate()
  }
  return undefined
}

const createFileCheck = ({ fileNameRegex, preventSecrets, maxFileSize }: PushRuleValues) => {
  const isForbidden = compilePattern(fileNameRegex)
  return ({ path, isNew, size }: ChangedFile): string | undefined => {
    const pattern = isNew && preventSecrets ? findSecretPattern(path)?.source : undefined
    const matched = pattern ?? (isNew && isForbidden?.(path) ? fileNameRegex : undefined)
    if (matched !== undefined) return `File name ${path} was prohibited by the pattern '${matched}'`
    return maxFileSize > 0 && size > maxFileSize * mebibyte
      ? `File '${path}' is larger than the allowed size of ${maxFileSize} MiB`
      : undefined
  }
}

type ReadDatabase = <T>(work: (ctx: Context) => Promise<T>) => Promise<T>

/** Those of the addresses, in lowercase, that a user has as the primary, a confirmed or the private address. */
const selectKnownEmails = async (ctx: Context, emails: readonly string[]): Promise<readonly string[]> => {
  const primary = ctx.db.selectFrom('user').where(lower('email'), 'in', emails).select('email')
  const additional = ctx.db
    .selectFrom('emailAddress')
    .where(lower('email'), 'in', emails)
    .where('confirmedAt', 'is not', null)
    .select('email')
  const rows = [...(await primary.execute()), ...(await additional.execute())]
  return [...rows.map(({ email }) => email.toLowerCase()), ...(await selectPrivateEmails(ctx, emails))]
}

const findUnknownEmail = async (read: ReadDatabase, commits: readonly Commit[]): Promise<string | undefined> => {
  const unknown = new Set(
    commits.flatMap(({ author, committer }) => [author.email.toLowerCase(), committer.email.toLowerCase()]),
  )
  const emails = [...unknown]
  for (let start = 0; start < emails.length; start += emailsPerQuery) {
    const known = await read((ctx) => selectKnownEmails(ctx, emails.slice(start, start + emailsPerQuery)))
    for (const email of known) unknown.delete(email)
  }
  const [first] = unknown
  return first === undefined ? undefined : `Author '${first}' is not a member of team`
}

/**
 * Why the push rule does not permit a change of a reference; undefined if it does. The repository contains the objects, and the
 * reference has not moved. Commits that a branch or tag contains are not checked.
 *
 * @param read runs a query in a transaction
 */
export async function findPushRuleRefusal(
  repository: Repository,
  check: PushCheck,
  update: ReferenceUpdate,
  read: ReadDatabase,
): Promise<string | undefined> {
  const { rule, pusher } = check
  const refusal = findNameRefusal(check, update)
  if (refusal !== undefined || update.to === undefined) return refusal
  const checksCommits = hasCommitRules(rule) || rule.memberCheck
  const checksFiles = rule.fileNameRegex !== '' || rule.preventSecrets || rule.maxFileSize > 0
  const tip = checksCommits || checksFiles ? await repository.peel(update.to) : undefined
  if (tip === undefined) return undefined
  const ids = await repository.newCommits(tip, { limit: maxCommits + 1 })
  if (ids.length > maxCommits)
    return `More than ${maxCommits} new commits cannot be checked: push them in several parts`
  if (checksCommits) {
    const commits = (await Promise.all(ids.map((id) => repository.commit(id)))).filter((commit) => commit !== undefined)
    const refused =
      (await findFirst(commits, createCommitCheck(rule, pusher))) ??
      (rule.memberCheck ? await findUnknownEmail(read, commits) : undefined)
    if (refused !== undefined) return refused
  }
  return checksFiles ? findFirst(await repository.changedFiles(ids), createFileCheck(rule)) : undefined
}
