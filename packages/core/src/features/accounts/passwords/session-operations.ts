import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import { hashToken } from '../../../access/token-digest.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { allOrNone, Id, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'

const sessionInput = {
  /** The secret of the session, as `startSession` returned it. */
  secret: v.pipe(v.string(), v.maxLength(255)),
}

/** The secret of a new session. */
export interface StartedSession {
  /** For the cookie of the session; stored as a digest only. */
  secret: string
}

/** Sessions of the pages: a copy of a cookie is worthless after its user has signed out. */
export const sessionOperations = {
  /** Starts a session and returns its secret. Removes sessions that have expired. */
  startSession: command({
    on: instance,
    can: 'password.verify',
    serializes: 'user',
    input: {
      /** End of the session, ISO 8601. */
      expiresAt: Instant,
    },
    async run({ db, now, ports }, { expiresAt }): Promise<StartedSession> {
      const secret = Buffer.from(ports.random.bytes(20)).toString('base64url')
      await db.deleteFrom('pageSession').where('expiresAt', '<=', now).execute()
      await db
        .insertInto('pageSession')
        .values({
          digest: hashToken(secret),
          expiresAt: normalizeInstant(expiresAt),
        } satisfies CompleteRow<'pageSession'>)
        .execute()
      return { secret }
    },
  }),

  /** Checks whether a session has started, and has neither ended nor expired. One that began with a password ends with the password. */
  checkSession: query({
    on: instance,
    can: 'password.verify',
    input: {
      ...sessionInput,
      /** Id of the user who signed in with a password. */
      user: v.optional(Id),
      /** `changedAt` of the password, as `verify` returned it. */
      changedAt: v.optional(v.string()),
    },
    rules: [allOrNone('user', 'changedAt')],
    async run({ db, now }, { secret, user, changedAt }): Promise<boolean> {
      const rows = db.selectFrom('pageSession').where('digest', '=', hashToken(secret)).where('expiresAt', '>', now)
      if ((await rows.select('digest').executeTakeFirst()) === undefined) return false
      if (user === undefined) return true
      const row = await db.selectFrom('userPassword').where('userId', '=', user).select('changedAt').executeTakeFirst()
      return row?.changedAt === changedAt
    },
  }),

  /** Ends a session; no error if it has ended. */
  endSession: command({
    on: instance,
    can: 'password.verify',
    serializes: 'user',
    input: sessionInput,
    async run({ db }, { secret }) {
      await db.deleteFrom('pageSession').where('digest', '=', hashToken(secret)).execute()
    },
  }),
}
