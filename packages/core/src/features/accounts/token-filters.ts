import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { selectTokens } from './token-rows.ts'

export const tokenFilters = {
  /** Only tokens that calls can use (`active`), or only revoked and expired ones (`inactive`). Default: `all`. */
  state: v.optional(v.picklist(['all', 'active', 'inactive']), 'all'),
}

type Rows = ReturnType<typeof selectTokens>

/** The tokens in a state. */
export const filterTokens = (
  { now }: Context,
  rows: Rows,
  { state }: { state: 'all' | 'active' | 'inactive' },
): Rows => {
  if (state === 'all') return rows
  const today = now.slice(0, 10)
  return rows.where((eb) => {
    const active = eb.and([
      eb('revokedAt', 'is', null),
      eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', today)]),
    ])
    return state === 'active' ? active : eb.not(active)
  })
}
