import type { Key } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime } from '../reply/field-types.ts'
import { wire } from '../reply/wire.ts'

/** A public SSH key of a user, or a deploy key. */
export const PublicKeyWire = wire<Key>('PublicKey')({
  id: Integer,
  title: v.string(),
  key: v.string(),
  created_at: DateTime,
  expires_at: NullableDateTime,
  last_used_at: NullableDateTime,
  usage_type: v.picklist(['auth', 'signing', 'auth_and_signing']),
})
