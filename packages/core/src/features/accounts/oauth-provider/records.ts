import { hashToken } from '../../../access/token-digest.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { type OauthScope, oauthScopes } from '../../../kernel/scopes.ts'

/** The fields of a record that the OAuth provider chooses. */
export type RecordPayload = Readonly<Record<string, unknown>>

/** A record of the OAuth provider. */
export interface OauthRecord {
  /** Null for records that belong to no user yet. */
  readonly userId: number | null
  /** The fields that the provider has stored. */
  readonly payload: RecordPayload
  /** When the record was used, ISO 8601; null before. */
  readonly consumedAt: string | null
  /** The first instant at which it is invalid, ISO 8601. */
  readonly expiresAt: string
  /** Time of creation, ISO 8601. */
  readonly createdAt: string
}

/** Names of the ids by which records are found. */
export const recordKeys = ['id', 'uid', 'userCode'] as const
const keyColumns = { id: 'digest', uid: 'uidDigest', userCode: 'userCodeDigest' } as const

/** The digest of an access token is that by which `authenticate` finds it. */
const selectRecord = ({ db, now }: Context, model: string, key: (typeof recordKeys)[number], value: string) =>
  db
    .selectFrom('oauthRecord')
    .where('model', '=', model)
    .where(keyColumns[key], '=', hashToken(value))
    .where('expiresAt', '>', now)

const sealContext = (model: string, digest: string) => `oauth_record.${model}.${digest}`

/** Undefined for a missing and for an expired record. */
export const findRecord = async (
  ctx: Context,
  model: string,
  key: (typeof recordKeys)[number],
  value: string,
): Promise<OauthRecord | undefined> => {
  const row = await selectRecord(ctx, model, key, value)
    .select(['digest', 'userId', 'sealedPayload', 'consumedAt', 'expiresAt', 'createdAt'])
    .executeTakeFirst()
  if (!row) return undefined
  const { sealedPayload, digest, ...fields } = row
  return { ...fields, payload: JSON.parse(ctx.ports.secrets.open(sealedPayload, sealContext(model, digest))) }
}

export interface RecordInput {
  readonly model: string
  readonly id: string
  readonly payload: RecordPayload
  readonly expiresIn: number
  readonly userId?: number | undefined
  readonly applicationId?: string | undefined
  readonly grant?: string | undefined
  readonly uid?: string | undefined
  readonly userCode?: string | undefined
  readonly scope?: string | undefined
}

const hashIfAny = (text: string | undefined) => (text === undefined ? null : hashToken(text))

const parseScope = (scope: string): readonly OauthScope[] => {
  const names = scope.split(' ')
  return oauthScopes.filter((name) => names.includes(name))
}

const findApplicationRow = async ({ db }: Context, applicationId: string) => {
  const row = await db
    .selectFrom('oauthApplication')
    .where('applicationId', '=', applicationId)
    .select('id')
    .executeTakeFirst()
  if (!row) throw notFound('Application')
  return row
}

/** Stores a new record, or replaces the stored one with the same model and id. */
export const storeRecord = async (ctx: Context, input: RecordInput): Promise<void> => {
  const { model, id, payload, expiresIn, userId = null, applicationId, scope } = input
  const digest = hashToken(id)
  const values = {
    userId,
    oauthApplicationId: applicationId === undefined ? null : (await findApplicationRow(ctx, applicationId)).id,
    grantDigest: hashIfAny(input.grant),
    uidDigest: hashIfAny(input.uid),
    userCodeDigest: hashIfAny(input.userCode),
    scopes: scope === undefined ? null : parseScope(scope),
    sealedPayload: ctx.ports.secrets.seal(JSON.stringify(payload), sealContext(model, digest)),
    expiresAt: addSeconds(ctx.now, expiresIn),
  }
  await ctx.db
    .insertInto('oauthRecord')
    .values({ ...values, model, digest, consumedAt: null, createdAt: ctx.now } satisfies CompleteRow<'oauthRecord'>)
    .onConflict((existing) => existing.columns(['model', 'digest']).doUpdateSet(values))
    .execute()
}

/** Marks a record as used. Returns false if it is missing or was used before, so that of two concurrent uses only one succeeds. */
export const consumeRecord = async (ctx: Context, model: string, id: string): Promise<boolean> => {
  const rows = await ctx.db
    .updateTable('oauthRecord')
    .set({ consumedAt: ctx.now })
    .where('model', '=', model)
    .where('digest', '=', hashToken(id))
    .where('consumedAt', 'is', null)
    .returning('id')
    .execute()
  return rows.length > 0
}

export const removeRecord = async ({ db }: Context, model: string, id: string): Promise<void> => {
  await db.deleteFrom('oauthRecord').where('model', '=', model).where('digest', '=', hashToken(id)).execute()
}

/** Removes the codes and tokens of a grant. */
export const removeGrantRecords = async ({ db }: Context, grant: string): Promise<void> => {
  await db.deleteFrom('oauthRecord').where('grantDigest', '=', hashToken(grant)).execute()
}
