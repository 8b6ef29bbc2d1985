import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import type { QuickActionTarget } from '../../planning/quick-actions/request.ts'
import type { IssuableSubject } from '../merge-requests/issuable.ts'
import type { QuickActionChanges } from '../notes/note.ts'
import { type CurrentState, notApplicableError } from './target.ts'

export interface QuickActionEffect {
  readonly changes: QuickActionChanges
  /** A sentence for the summary. */
  readonly message: string
}

/** Fails with a platform error if the quick action cannot be applied. `argument`: what follows the name; empty for nothing. */
export type QuickActionHandler = (
  ctx: Context,
  target: QuickActionTarget,
  argument: string,
  current: CurrentState,
) => Promise<QuickActionEffect>

type Handler<T> = (ctx: Context, target: T, argument: string, current: CurrentState) => Promise<QuickActionEffect>

export const onIssue =
  (run: Handler<Subjects['issue']>): QuickActionHandler =>
  async (ctx, target, argument, current) => {
    if (target.kind !== 'issue') throw notApplicableError()
    return run(ctx, target, argument, current)
  }

export const onMergeRequest =
  (run: Handler<Subjects['mergeRequest']>): QuickActionHandler =>
  async (ctx, target, argument, current) => {
    if (target.kind !== 'mergeRequest') throw notApplicableError()
    return run(ctx, target, argument, current)
  }

export const onEpic =
  (run: Handler<Subjects['epic']>): QuickActionHandler =>
  async (ctx, target, argument, current) => {
    if (target.kind !== 'epic') throw notApplicableError()
    return run(ctx, target, argument, current)
  }

export const onIssuable =
  (run: Handler<IssuableSubject>): QuickActionHandler =>
  async (ctx, target, argument, current) => {
    if (target.kind === 'epic') throw notApplicableError()
    return run(ctx, target, argument, current)
  }

/** Undefined for a platform error. Operations throw these before their first write, so nothing is partially done. */
export const ignorePlatformError = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (isPlatformError(error)) return undefined
    throw error
  }
}
