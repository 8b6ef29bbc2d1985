import type { License, Template, TemplateSummary } from '@forgelet/core/operations'
import * as v from 'valibot'
import { NullableText } from '../reply/field-types.ts'
import { wire } from '../reply/wire.ts'

export const TemplateSummaryWire = wire<TemplateSummary>('TemplateSummary')({
  key: v.string(),
  name: v.string(),
})

export const TemplateWire = wire<Template>('Template')({
  name: v.string(),
  content: v.string(),
})

export const LicenseWire = wire<License>('License')({
  key: v.string(),
  name: v.string(),
  nickname: NullableText,
  popular: v.boolean(),
  html_url: NullableText,
  source_url: NullableText,
  description: NullableText,
  conditions: v.array(v.string()),
  permissions: v.array(v.string()),
  limitations: v.array(v.string()),
  content: v.string(),
})
