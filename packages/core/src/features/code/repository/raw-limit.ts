import { createHash } from 'node:crypto'
import type { Subjects } from '../../../contract/subjects.ts'
import type { RateLimit } from '../../../kernel/rate-limit.ts'
import { getSettings } from '../../administration/settings/queries.ts'

/**
 * The limit of the setting `rawBlobRequestLimit`: requests per minute for one file, by all callers.
 *
 * @param nameOf what identifies the file in its project
 */
export const createRawLimit = <In>(nameOf: (input: In) => string): RateLimit<In, Subjects['project']> => ({
  name: 'raw_blob',
  getLimit: async (ctx) => (await getSettings(ctx)).rawBlobRequestLimit,
  // Paths can be longer than keys.
  getKey: (_ctx, input, { project }) =>
    `project:${project.id} ${createHash('sha256').update(nameOf(input)).digest('hex')}`,
  message: 'This endpoint has been requested too many times. Try again later.',
})
