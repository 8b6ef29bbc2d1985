import { hashToken } from '../../../access/token-digest.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid } from '../../../kernel/errors.ts'
import { type OauthScope, oauthScopes } from '../../../kernel/scopes.ts'
import { parseRedirectUris } from '../oauth-provider/redirect-uris.ts'
import {
  type Application,
  generateApplicationId,
  generateApplicationSecret,
  type NewApplication,
} from './application.ts'

const columns = ['id', 'applicationId', 'name', 'redirectUris', 'scopes', 'confidential', 'createdAt'] as const

/** Applications without their secrets. */
export const selectApplications = (ctx: Context) => ctx.db.selectFrom('oauthApplication').select(columns)

const isScope = (name: string): name is OauthScope => (oauthScopes as readonly string[]).includes(name)

/** @throws PlatformError `invalid` for an unknown scope, and for none */
const parseScopes = (text: string): readonly OauthScope[] => {
  const names = [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))]
  if (names.length === 0) throw invalid({ scopes: ["can't be blank"] })
  const scopes = names.filter(isScope)
  if (scopes.length < names.length) throw invalid({ scopes: ["doesn't match configured on the server."] })
  return scopes
}

interface ApplicationInput {
  readonly name: string
  readonly redirectUri: string
  readonly scopes: string
  readonly confidential: boolean
  readonly applicationId?: string | undefined
  readonly secret?: string | undefined
}

const maxNameLength = 255

/** @throws PlatformError `invalid` for invalid fields, `conflict` if another application has the id */
export const insertApplication = async (ctx: Context, input: ApplicationInput): Promise<NewApplication> => {
  const name = input.name.trim()
  if (name === '') throw invalid({ name: ["can't be blank"] })
  if (name.length > maxNameLength) throw invalid({ name: [`is too long (maximum is ${maxNameLength} characters)`] })
  const {
    applicationId = generateApplicationId(ctx.ports.random),
    secret = generateApplicationSecret(ctx.ports.random),
  } = input
  const values = {
    applicationId,
    name,
    redirectUris: parseRedirectUris(input.redirectUri),
    scopes: parseScopes(input.scopes),
    confidential: input.confidential,
    createdAt: ctx.now,
  }
  const taken = selectApplications(ctx).where('applicationId', '=', applicationId)
  if (await taken.executeTakeFirst()) throw conflict('This id belongs to another application')
  const row = await ctx.db
    .insertInto('oauthApplication')
    .values({ ...values, secretDigest: hashToken(secret) } satisfies CompleteRow<'oauthApplication'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, ...values, secret }
}

export const toApplication = (row: Application): Application => row
