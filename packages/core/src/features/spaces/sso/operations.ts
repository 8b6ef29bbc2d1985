import * as v from 'valibot'
import { group } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import type { SsoProvider } from './identity.ts'
import { identityOperations } from './identity-operations.ts'
import { findProvider, requireProvider } from './queries.ts'
import { scimTokenOperations } from './scim-token-operations.ts'
import { signInOperations } from './sign-in-operations.ts'

const setEnabled = async (ctx: Context, groupId: number, enabled: boolean): Promise<SsoProvider> => {
  const provider = await requireProvider(ctx, groupId)
  await ctx.db.updateTable('ssoProvider').set({ enabled }).where('id', '=', provider.id).execute()
  return { ...provider, enabled }
}

/** Single sign-on of groups: the configuration that SCIM requires. For administrators and the host application. */
export const sso = {
  ...scimTokenOperations,
  ...identityOperations,
  ...signInOperations,

  /** Gets the identity provider of a group. Fails with `not_found` if single sign-on was never enabled. */
  get: query({
    on: group,
    can: 'sso.manage',
    run: (ctx, _input, { group }) => requireProvider(ctx, group.id),
  }),

  /** Enables single sign-on for a group. */
  enable: command({
    on: group,
    can: 'sso.manage',
    input: {
      /**
       * Name of the provider in the identities of members, 1 to 255 characters. Default: `group_saml`, or the present
       * name.
       */
      provider: v.optional(v.string()),
    },
    async run(ctx, { provider: name }, { group }) {
      if (name !== undefined && (name.trim() === '' || name.length > 255)) throw invalid({ provider: ['is invalid'] })
      const existing = await findProvider(ctx, group.id)
      if (existing) {
        const change = { enabled: true, name: name ?? existing.name }
        await ctx.db.updateTable('ssoProvider').set(change).where('id', '=', existing.id).execute()
      } else {
        await ctx.db
          .insertInto('ssoProvider')
          .values({
            groupId: group.id,
            name: name ?? 'group_saml',
            enabled: true,
            createdAt: ctx.now,
          } satisfies CompleteRow<'ssoProvider'>)
          .execute()
      }
      return requireProvider(ctx, group.id)
    },
  }),

  /** Disables single sign-on: SCIM tokens of the group are rejected until it is enabled again. Identities stay. */
  disable: command({
    on: group,
    can: 'sso.manage',
    run: (ctx, _input, { group }) => setEnabled(ctx, group.id, false),
  }),
}
