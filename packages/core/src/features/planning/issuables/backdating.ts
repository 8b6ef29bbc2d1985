import { normalizeInstant } from '../../../kernel/inputs.ts'

/** The requested time of creation; undefined for users who may not choose it, so that it is ignored. */
export const readCreationTime = (createdAt: string | undefined, mayChoose: () => boolean): string | undefined =>
  createdAt !== undefined && mayChoose() ? normalizeInstant(createdAt) : undefined
