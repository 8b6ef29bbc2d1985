import type { BulkDeleteRules } from './features/registry/bulk-delete.ts'
import type { Context } from './kernel/context.ts'
import type { Handle } from './kernel/store.ts'
import type { Ports } from './ports/ports.ts'

/** The work that is done after a commit or day by day, and what each kind needs to know. */
export interface JobPayloads {
  'repository.remove': { readonly place: string }
  'repository.followDefaultBranch': { readonly projectId: number }
  'members.expire': Record<never, never>
  'events.expire': Record<never, never>
  /** `askedAt`: the instant that ages are counted from. */
  'registry.removeTags': { readonly repository: number; readonly rules: BulkDeleteRules; readonly askedAt: string }
  'registry.removeRepository': { readonly repository: number }
  'registry.discover': Record<never, never>
  'registry.runPolicies': Record<never, never>
  'pagesDomains.verify': { readonly domain: number }
  'pagesDomains.certify': { readonly domain: number }
  'pagesDomains.review': Record<never, never>
  'remoteMirrors.push': { readonly mirror: number }
  'mergeRequests.look': { readonly projectId: number; readonly iid: number }
}

/** What a job may touch. Slow and outside work stands between its transactions, never inside one. */
export interface JobTools {
  readonly now: string
  readonly ports: Ports
  /** A job that fails now is not tried again by itself. */
  readonly lastTry: boolean
  read<T>(work: (handle: Handle) => Promise<T>): Promise<T>
  /** One transaction, as the host itself. */
  write<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

export interface Job {
  readonly kind: keyof JobPayloads
  /** Runs by itself once a day, from the first second of the day (UTC). */
  readonly every?: 'day'
  /** May run twice, after a crash between its effect and its end: look at the present state first. */
  run(tools: JobTools, payload: never): Promise<void>
}

/** A kind of work and how it is done. */
export const job = <N extends keyof JobPayloads>(
  kind: N,
  { every, run }: { every?: 'day'; run: (tools: JobTools, payload: JobPayloads[N]) => Promise<void> },
): Job => ({ kind, ...(every && { every }), run })
