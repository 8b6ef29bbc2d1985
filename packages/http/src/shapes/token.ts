import type {
  AccessToken,
  DeployToken,
  NewAccessToken,
  NewDeployToken,
  NewToken,
  Token,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableDateTime } from '../reply/field-types.ts'
import { computed, wire } from '../reply/wire.ts'

const tokenFields = {
  id: Integer,
  user_id: Integer,
  name: v.string(),
  scopes: computed(v.array(v.string()), ({ scopes }: Token) => [...scopes]),
  active: v.boolean(),
  revoked: v.boolean(),
  created_at: DateTime,
  last_used_at: NullableDateTime,
  expires_at: NullableDate,
}

const secretField = {
  /** The secret, which no other response contains. */
  token: computed(v.string(), ({ secret }: NewToken) => secret),
}

const personalFields = { ...tokenFields, impersonation: v.boolean() }
const accessFields = { ...tokenFields, access_level: Integer }

/** A personal access token, without its secret. */
export const TokenWire = wire<Token>('PersonalAccessToken')(personalFields)

/** A new token, with its secret. */
export const NewTokenWire = wire<NewToken>('NewPersonalAccessToken')({ ...personalFields, ...secretField })

/** A token of a project or group, without its secret. */
export const AccessTokenWire = wire<AccessToken>('AccessToken')(accessFields)

/** A new token of a project or group, with its secret. */
export const NewAccessTokenWire = wire<NewAccessToken>('NewAccessToken')({ ...accessFields, ...secretField })

const deployFields = {
  id: Integer,
  name: v.string(),
  username: v.string(),
  scopes: computed(v.array(v.string()), ({ scopes }: DeployToken) => [...scopes]),
  expires_at: NullableDateTime,
  expired: v.boolean(),
  revoked: v.boolean(),
}

/** A deploy token, without its secret. */
export const DeployTokenWire = wire<DeployToken>('DeployToken')(deployFields)

/** A new deploy token, with its secret. */
export const NewDeployTokenWire = wire<NewDeployToken>('NewDeployToken')({
  ...deployFields,
  /** The secret, which no other response contains. */
  token: computed(v.string(), ({ secret }: NewDeployToken) => secret),
})
