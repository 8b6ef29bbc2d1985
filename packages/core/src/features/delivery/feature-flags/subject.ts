import * as v from 'valibot'
import { Access } from '../../../access/levels.ts'
import { findProject } from '../../../access/projects.ts'
import { hashToken } from '../../../access/token-digest.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'

const entries = {
  /** Id (number) or full path (string, case-insensitive) of the project: `acme/web`. */
  project: IdOrName,
  /** The token of the clients of the project, which Unleash calls instance id. */
  token: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
}

/** The feature flags of a project for an application with the token. The error does not reveal whether the project exists. */
export const featureFlagsClient: SubjectLoader<'featureFlagsClient', typeof entries> = {
  kinds: ['featureFlagsClient'],
  entries,
  async load(ctx, { project: reference, token }) {
    const project = await findProject(ctx, reference)
    const client = await ctx.db
      .selectFrom('featureFlagsClient')
      .where('projectId', '=', project?.id ?? 0)
      .where('digest', '=', hashToken(token))
      .select('projectId')
      .executeTakeFirst()
    if (project === undefined || client === undefined)
      throw new PlatformError('unauthenticated', 'The token is not one of the project', { reason: 'unknown' })
    // Applications are no users. They see what members see.
    return { kind: 'featureFlagsClient', project, access: Access.guest }
  },
}
