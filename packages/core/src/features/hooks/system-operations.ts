import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import type { Hook } from './hook.ts'
import { connectionInput, systemEventsInput } from './hook-input.ts'
import { createHook, removeHook, updateHook } from './mutations.ts'
import { getHookRow, selectHooks, systemOwner, toHook } from './queries.ts'

const hookInput = {
  /** Id of the hook, as in `systemHooks.list`. */
  hook: Id,
}

/** Webhooks of the instance, which receive the changes of projects, groups, users and members. */
export const systemHooks = {
  /** Lists the system hooks, by id. */
  list: query({
    on: instance,
    can: 'hook.manage',
    input: pagingEntries,
    run: (ctx, paging) =>
      paginate(selectHooks(ctx, [systemOwner]).orderBy('id'), paging, (row): Hook => toHook(row, ctx.now)),
  }),

  /** Gets a system hook. */
  get: query({
    on: instance,
    can: 'hook.manage',
    input: hookInput,
    run: async (ctx, { hook }) => toHook(await getHookRow(ctx, systemOwner, hook), ctx.now),
  }),

  /**
   * Creates a system hook. The setting `allowLocalRequestsFromSystemHooks` determines whether its URL may point to the local
   * network. Token, custom headers, and user and password of the URL are stored encrypted and never returned.
   */
  create: command({
    on: instance,
    can: 'hook.manage',
    input: {
      /** Receives a POST request for each event: `http` or `https`, at most 2,048 characters. May contain user and password. */
      url: v.string(),
      ...connectionInput,
      ...systemEventsInput,
    },
    run: (ctx, input) => createHook(ctx, systemOwner, input, ['pushEvents', 'repositoryUpdateEvents']),
  }),

  /** Changes a system hook; absent fields keep their values. A disabled hook is enabled, and its pending events are sent. */
  update: command({
    on: instance,
    can: 'hook.manage',
    input: {
      ...hookInput,
      /**
       * New URL. The URL that responses contain keeps the stored user and password. Any other one removes the token and the
       * custom headers, unless the same call sets them: they were entered for the former receiver.
       */
      url: v.optional(v.string()),
      ...connectionInput,
      ...systemEventsInput,
    },
    run: (ctx, { hook, ...fields }) => updateHook(ctx, systemOwner, hook, fields),
  }),

  /** Removes a system hook. Pending events are not sent. */
  remove: command({
    on: instance,
    can: 'hook.manage',
    input: hookInput,
    run: (ctx, { hook }) => removeHook(ctx, systemOwner, hook),
  }),
}
