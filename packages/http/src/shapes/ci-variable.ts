import type { CiVariable } from '@forgelet/core/operations'
import * as v from 'valibot'
import { wire } from '../reply/wire.ts'

/** A variable of the pipelines of all projects. */
export const InstanceVariableWire = wire<CiVariable>('InstanceVariable')({
  key: v.string(),
  variable_type: v.string(),
  value: v.nullable(v.string()),
  protected: v.boolean(),
  masked: v.boolean(),
  hidden: v.boolean(),
  raw: v.boolean(),
})

/** A variable of the pipelines of a project or a group. */
export const CiVariableWire = wire<CiVariable>('CiVariable')({
  ...InstanceVariableWire.fields,
  environment_scope: v.string(),
})
