import type { ProtectedBranch, ReferenceGrant } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableInteger } from '../reply/field-types.ts'
import { list, wire } from '../reply/wire.ts'

/** Who may do something with a protected branch or tag. */
export const ReferenceGrantWire = wire<ReferenceGrant>('ReferenceGrant')({
  id: Integer,
  access_level: NullableInteger,
  access_level_description: v.string(),
  user_id: NullableInteger,
  group_id: NullableInteger,
  deploy_key_id: NullableInteger,
})

export const ProtectedBranchWire = wire<ProtectedBranch>('ProtectedBranch')({
  id: Integer,
  name: v.string(),
  push_access_levels: list(ReferenceGrantWire),
  merge_access_levels: list(ReferenceGrantWire),
  unprotect_access_levels: list(ReferenceGrantWire),
  allow_force_push: v.boolean(),
  code_owner_approval_required: v.boolean(),
  inherited: v.boolean(),
})
