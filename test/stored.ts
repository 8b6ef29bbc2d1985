import type { ExecutedQuickActions } from '@forgelet/core/operations'

/** The note or the discussion that a call created. Fails if the text contained only quick actions. */
export const stored = async <T extends { readonly id: number | string }>(
  creation: Promise<T | ExecutedQuickActions>,
): Promise<T> => {
  const created = await creation
  if (created.id === null) throw new Error('The text contained only quick actions')
  return created
}
