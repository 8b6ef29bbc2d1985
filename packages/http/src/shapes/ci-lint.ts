import type { CiInclude, CiLintJob, CiLintResult } from '@forgelet/core/operations'
import * as v from 'valibot'
import { NullableText } from '../reply/field-types.ts'
import { computed, list, nullable, wire } from '../reply/wire.ts'

const CiIncludeWire = wire<CiInclude>('CiInclude')({
  type: v.string(),
  location: v.string(),
  context_project: NullableText,
})

const CiLintJobWire = wire<CiLintJob>('CiLintJob')({
  name: v.string(),
  stage: v.string(),
  before_script: v.array(v.string()),
  script: v.array(v.string()),
  after_script: v.array(v.string()),
  tag_list: v.array(v.string()),
  environment: NullableText,
  when: v.string(),
  allow_failure: v.boolean(),
  needs: v.nullable(v.array(v.string())),
})

export const CiLintWire = wire<CiLintResult>('CiLintResult')({
  /** `valid` or `invalid`. */
  status: computed(v.string(), ({ valid }: CiLintResult) => (valid ? 'valid' : 'invalid')),
  valid: v.boolean(),
  errors: v.array(v.string()),
  warnings: v.array(v.string()),
  merged_yaml: NullableText,
  includes: list(CiIncludeWire),
  jobs: nullable(list(CiLintJobWire)),
})
