import * as v from 'valibot'
import { place, toPlaceKey } from '../../../access/subjects.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import type { Hook } from './hook.ts'
import { connectionInput, eventsInput, onlyEventsOfPlace, validBranchFilter } from './hook-input.ts'
import { createHook, removeHook, updateHook } from './mutations.ts'
import { getHookRow, selectHooks, toHook } from './queries.ts'

const hookInput = {
  /** Id of the hook, as in `hooks.list`. */
  hook: Id,
}

/**
 * Webhooks. A hook of a group also receives the events of the projects below the group. Those of the instance are system hooks,
 * which receive the changes of projects, groups, users and members.
 */
export const hooks = {
  /** Lists the hooks of a project, a group or, without both, the instance, by id. */
  list: query({
    on: place,
    can: 'hook.manage',
    input: pagingEntries,
    run: (ctx, paging, subject) =>
      paginate(selectHooks(ctx, [toPlaceKey(subject)]).orderBy('id'), paging, (row): Hook => toHook(row, ctx.now)),
  }),

  /** Gets a hook of a project, a group or the instance. */
  get: query({
    on: place,
    can: 'hook.manage',
    input: hookInput,
    run: async (ctx, { hook }, subject) => toHook(await getHookRow(ctx, toPlaceKey(subject), hook), ctx.now),
  }),

  /**
   * Creates a hook. The settings, for system hooks `allowLocalRequestsFromSystemHooks`, determine whether its URL may point to the
   * local network. Token, custom headers, URL variables, and user and
   * password of the URL are stored encrypted and never returned.
   *
   * @throws PlatformError `invalid` for a forbidden URL, and for more than 100 hooks
   */
  create: command({
    on: place,
    can: 'hook.manage',
    input: {
      /**
       * Receives a POST request for each event: `http` or `https`, at most 2,048 characters. May contain user and password, or names
       * of `urlVariables` in braces: `https://chat.example/{token}`.
       */
      url: v.string(),
      ...connectionInput,
      ...eventsInput,
    },
    rules: [onlyEventsOfPlace, validBranchFilter],
    run: (ctx, input, subject) =>
      createHook(
        ctx,
        toPlaceKey(subject),
        input,
        subject.kind === 'instance' ? ['pushEvents', 'repositoryUpdateEvents'] : ['pushEvents'],
      ),
  }),

  /** Changes a hook; omitted fields keep their values. A disabled hook is enabled, and its pending events are sent. */
  update: command({
    on: place,
    can: 'hook.manage',
    input: {
      ...hookInput,
      /**
       * New URL. The URL that responses contain keeps the stored user and password. Any other one removes the token, the
       * custom headers and the URL variables, unless the same call sets them: they were entered for the former receiver.
       */
      url: v.optional(v.string()),
      ...connectionInput,
      ...eventsInput,
    },
    rules: [onlyEventsOfPlace, validBranchFilter],
    run: (ctx, { hook, ...fields }, subject) => updateHook(ctx, toPlaceKey(subject), hook, fields),
  }),

  /** Removes a hook. Pending events are not sent. */
  remove: command({
    on: place,
    can: 'hook.manage',
    input: hookInput,
    run: (ctx, { hook }, subject) => removeHook(ctx, toPlaceKey(subject), hook),
  }),
}
