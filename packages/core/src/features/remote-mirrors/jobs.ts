import { isIPv4 } from 'node:net'
import { job } from '../../jobs.ts'
import type { Context } from '../../kernel/context.ts'
import { isPlatformError } from '../../kernel/errors.ts'
import type { PushReport, Repository } from '../../ports/git.ts'
import type { Ports } from '../../ports/ports.ts'
import { repositoryOf } from '../repository/queries.ts'
import { type OutboundRules, outboundRules } from '../settings/outbound-rules.ts'
import { withoutCredentials } from './credentials-in-text.ts'
import { credentialsContext, type MirrorCredentials } from './remote-mirror.ts'

/** One push, as it was read from the database before it. */
interface Plan {
  readonly id: number
  readonly url: string
  readonly sealedCredentials: string | null
  readonly onlyProtectedBranches: boolean
  readonly keepDivergentRefs: boolean
  /** Branches that are protected: the default one. */
  readonly protectedBranches: readonly string[]
  readonly repository: Repository
  readonly rules: OutboundRules
}

/** `refused`: another try would end in the same way. */
type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }

const longestError = 1_000

const findMirror = ({ db }: Context, id: number) =>
  db
    .selectFrom('remoteMirror')
    .innerJoin('project', 'project.id', 'remoteMirror.projectId')
    .where('remoteMirror.id', '=', id)
    .select(['remoteMirror.id', 'remoteMirror.projectId', 'remoteMirror.enabled', 'remoteMirror.url'])
    .select(['remoteMirror.sealedCredentials', 'remoteMirror.onlyProtectedBranches', 'remoteMirror.keepDivergentRefs'])
    .select(['remoteMirror.updateStatus', 'remoteMirror.requestedAt', 'project.defaultBranch'])
    .executeTakeFirst()

/** Something waits, or an earlier push did not come to its end: it failed, or its process died. */
const isDue = ({ updateStatus, requestedAt }: { updateStatus: string; requestedAt: string | null }) =>
  requestedAt !== null || updateStatus === 'started' || updateStatus === 'to_retry'

/** Marks a push as started and says what is to be done; nothing when there is nothing to do. */
const begin = async (ctx: Context, id: number): Promise<Plan | undefined> => {
  const row = await findMirror(ctx, id)
  if (row === undefined || !row.enabled || !isDue(row)) return undefined
  const repository = await repositoryOf(ctx, row.projectId)
  // The first push brings the repository, and asks again.
  if (repository === undefined) return undefined
  const started = { updateStatus: 'started' as const, lastUpdateStartedAt: ctx.now, requestedAt: null }
  await ctx.db.updateTable('remoteMirror').set(started).where('id', '=', id).execute()
  return { ...row, protectedBranches: [row.defaultBranch], repository, rules: await outboundRules(ctx) }
}

const credentialsOf = ({ secrets }: Ports, { id, sealedCredentials }: Plan): MirrorCredentials =>
  sealedCredentials === null
    ? { user: null, password: null }
    : (JSON.parse(secrets.open(sealedCredentials, credentialsContext(id))) as MirrorCredentials)

/** Where to connect to, judged anew: a name may lead elsewhere than it did when the mirror was made. */
const destination = async (
  { names }: Ports,
  { url, rules }: Plan,
): Promise<Exclude<Outcome, { kind: 'done' }> | { readonly kind: 'open'; readonly address: string | undefined }> => {
  const check = await rules.checkHost(new URL(url).hostname, names.addresses)
  if (check.status === 'refused') return { kind: 'refused', message: `The URL is blocked: ${check.complaint}` }
  if (check.status === 'unresolved') return { kind: 'failed', message: 'The host name cannot be resolved' }
  const address = check.addresses.find(isIPv4) ?? check.addresses[0]
  return { kind: 'open', address: rules.pinsAddresses ? address : undefined }
}

const outcomeOf = ({ divergent }: PushReport): Outcome => {
  if (!divergent.length) return { kind: 'done' }
  const message = `Some refs have diverged and have not been updated on the remote: ${divergent.join(', ')}`
  return { kind: 'refused', message: message.slice(0, longestError) }
}

/** The push itself, outside of any transaction. Never throws; no message holds anything secret. */
const pushTo = async (ports: Ports, plan: Plan): Promise<Outcome> => {
  let password: string | null = null
  try {
    const to = await destination(ports, plan)
    if (to.kind !== 'open') return to
    const credentials = credentialsOf(ports, plan)
    password = credentials.password
    const known = credentials.user !== null || password !== null
    return outcomeOf(
      await plan.repository.push({
        url: plan.url,
        keepDivergentReferences: plan.keepDivergentRefs,
        ...(known && { credentials: { username: credentials.user ?? '', password: password ?? '' } }),
        ...(to.address !== undefined && { address: to.address }),
        ...(plan.onlyProtectedBranches && { branches: plan.protectedBranches, tags: true }),
      }),
    )
  } catch (error) {
    // The words of a refusal are meant to be read; those of a defect may hold anything.
    const words = isPlatformError(error) ? error.message : 'The push could not be made'
    const message = withoutCredentials(words, password === null ? [] : [password]).slice(0, longestError)
    return { kind: 'failed', message }
  }
}

const statusOf = ({ kind }: Outcome, lastTry: boolean) => {
  if (kind === 'done') return 'finished'
  return kind === 'refused' || lastTry ? 'failed' : 'to_retry'
}

/** Keeps how the push went. True when something was asked for meanwhile. */
const settle = async (ctx: Context, { id }: Plan, outcome: Outcome, lastTry: boolean): Promise<boolean> => {
  const [row] = await ctx.db
    .updateTable('remoteMirror')
    .set({
      updateStatus: statusOf(outcome, lastTry),
      lastUpdateAt: ctx.now,
      lastError: outcome.kind === 'done' ? null : outcome.message,
      ...(outcome.kind === 'done' && { lastSuccessfulUpdateAt: ctx.now }),
    })
    .where('id', '=', id)
    .returning('requestedAt')
    .execute()
  return row !== undefined && row.requestedAt !== null
}

/**
 * Pushes to a mirror until nothing waits. A push that failed is tried again later and later, as the queue does it; one that a
 * dead process left behind is begun anew.
 */
export const pushToMirror = job('remoteMirrors.push', {
  async run({ ports, write, lastTry }, { mirror }) {
    for (let waiting = true; waiting; ) {
      const plan = await write((ctx) => begin(ctx, mirror))
      if (plan === undefined) return
      const outcome = await pushTo(ports, plan)
      waiting = await write((ctx) => settle(ctx, plan, outcome, lastTry))
      if (outcome.kind === 'failed' && !lastTry) throw new Error(outcome.message)
    }
  },
})
