import * as v from 'valibot'
import { Access } from '../../../access/levels.ts'
import { findProject } from '../../../access/projects.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'

const entries = {
  /** Id (number) or full path (string, case-insensitive) of the project: `acme/web`. */
  project: IdOrName,
  /** Public key of a client key of the project. */
  publicKey: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
  /** `Sentry sentry_key=…, sentry_version=7`: the public key as clients send it, instead of `publicKey`. */
  authorization: v.optional(v.pipe(v.string(), v.maxLength(1_000)), ''),
}

/** The key in the header of a client. */
const readKey = (authorization: string) => /\bsentry_key=([^\s,]+)/.exec(authorization)?.[1] ?? ''

/** The error tracking of a project for an application with a client key. The error does not reveal whether the project exists. */
export const errorClient: SubjectLoader<'errorClient', typeof entries> = {
  kinds: ['errorClient'],
  entries,
  async load(ctx, { project: reference, publicKey, authorization }) {
    const project = await findProject(ctx, reference)
    const key = await ctx.db
      .selectFrom('errorTrackingClientKey')
      .innerJoin('errorTrackingSetting', 'errorTrackingSetting.projectId', 'errorTrackingClientKey.projectId')
      .where('errorTrackingClientKey.projectId', '=', project?.id ?? 0)
      .where('publicKey', '=', publicKey || readKey(authorization))
      .where('errorTrackingClientKey.active', '=', true)
      .where('errorTrackingSetting.active', '=', true)
      .where('integrated', '=', true)
      .select('publicKey')
      .executeTakeFirst()
    if (project === undefined || key === undefined)
      throw new PlatformError('unauthenticated', 'The project collects no errors with this key', { reason: 'unknown' })
    // Applications are no users. They see what members see.
    return { kind: 'errorClient', project, access: Access.guest }
  },
}
