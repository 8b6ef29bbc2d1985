import { rebuiltCounters, type WrongCounter, wrongCounters } from '../../db/issue-counters.ts'
import type { Handle } from '../../kernel/store.ts'

type Upkeep = Pick<Handle, 'dialect' | 'db'>

/**
 * Whether the counters, facts and words that triggers keep beside issues are what they must be: nothing, or the tables
 * that are not. Takes a handle that may write, since SQLite checks an index of words by a writing statement.
 */
export const verifyCounters = (ctx: Upkeep): Promise<readonly WrongCounter[]> => wrongCounters(ctx)

/** Fills them anew, in the transaction of `ctx`: for data that was written past the triggers. */
export const rebuildCounters = (ctx: Upkeep): Promise<void> => rebuiltCounters(ctx)
