import { getCallerKey, type RateLimit } from '../../../kernel/rate-limit.ts'
import { getSettings } from '../../administration/settings/queries.ts'

/** The limit of the setting `notesCreateLimit`: comments and discussions per minute of one user. */
export const noteLimit: RateLimit<unknown, unknown> = {
  name: 'notes_create',
  getLimit: async (ctx) => (await getSettings(ctx)).notesCreateLimit,
  getKey: (ctx) => getCallerKey(ctx),
  message: 'This endpoint has been requested too many times. Try again later.',
}
