/** What a personal access token opens. Every scope is accepted on creation; those not named below open nothing here. */
export const scopes = [
  'api',
  'read_api',
  'read_user',
  'sudo',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
] as const

export type Scope = (typeof scopes)[number]

/**
 * The scopes any of which opens an operation: `api` opens all, `read_api` what is read by GET, and an operation may name
 * narrower ones. The order is the one in which a refusal lists them.
 */
export const openedBy = (operation: {
  readonly reading: boolean
  readonly scopes: readonly Scope[]
}): readonly Scope[] => [...operation.scopes, 'api', ...(operation.reading ? (['read_api'] as const) : [])]
