import type { Context } from '../kernel/context.ts'
import type { TransactionRunner } from '../kernel/deferred.ts'
import { notFound } from '../kernel/errors.ts'
import type { JobContext } from '../kernel/jobs/job.ts'
import type { MaybePromise } from '../kernel/store.ts'
import { findActiveActor } from './authenticate.ts'

/** Runs the transactions of a job as a user. They fail with `not_found` for a user who is no longer active. */
export const createUserRunner = ({ write }: JobContext, userId: number): TransactionRunner => {
  const asUser = <T>(work: (ctx: Context) => MaybePromise<T>): Promise<T> =>
    write(async (ctx) => {
      const actor = await findActiveActor(ctx, userId)
      if (actor === undefined) throw notFound('User')
      return work(ctx.actAs(actor))
    })
  return { read: asUser, write: asUser }
}
