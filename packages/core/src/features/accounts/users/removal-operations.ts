import * as v from 'valibot'
import { instance, userEntries } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import { command } from '../../../kernel/operation.ts'
import { findUser } from './queries.ts'
import { removeUser } from './remove-user.ts'

export const userRemoval = {
  /**
   * Removes a user with the personal namespace and its projects, personal snippets, memberships, keys and tokens. The
   * user's issues, merge requests, epics, notes, comments on commits and project snippets remain, with a ghost user as their
   * author. A job removes a user with very many of these; until then, the user is blocked.
   *
   * @throws PlatformError `conflict` if the user is the only owner of a group, unless `hardDelete` is set
   */
  remove: command({
    on: instance,
    can: 'user.manage',
    input: {
      ...userEntries,
      /** Whether to delete the user's contributions, and the groups of which the user is the only owner. Default: false. */
      hardDelete: v.optional(v.boolean(), false),
    },
    async run(ctx, { user, hardDelete }) {
      const removed = await findUser(ctx, user)
      await assertRowUnmodified(ctx, 'user', removed.id)
      await removeUser(ctx, removed, hardDelete)
    },
  }),
}
