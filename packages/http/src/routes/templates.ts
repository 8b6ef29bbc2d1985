import { features, type License, type Template, type TemplateSummary } from '@forgelet/core/operations'
import * as v from 'valibot'
import { NullableText } from '../reply/field-types.ts'
import type { Reply } from '../reply/reply.ts'
import { one, page, type Responder } from '../reply/responders.ts'
import { computed, type Site, variants, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const TemplateSummaryWire = wire<TemplateSummary>('TemplateSummary')({
  key: v.string(),
  name: v.string(),
})

const TemplateWire = wire<Template>('Template')({
  name: v.string(),
  content: v.string(),
})

const LicenseWire = wire<License>('License')({
  key: v.string(),
  name: v.string(),
  nickname: NullableText,
  popular: v.boolean(),
  /** Older name of `popular`. */
  featured: computed(v.boolean(), ({ popular }: License) => popular),
  html_url: NullableText,
  source_url: NullableText,
  description: NullableText,
  conditions: v.array(v.string()),
  permissions: v.array(v.string()),
  limitations: v.array(v.string()),
  content: v.string(),
})

const { templates, projectTemplates } = features

const templateShape = variants([TemplateWire, LicenseWire], (template: Template | License, site: Site) =>
  'key' in template ? LicenseWire(template, site) : TemplateWire(template, site),
)

/** A license with its details, or the text of another template. */
const templateOrLicense: Responder<Template | License> = Object.assign(
  (template: Template | License, site: Site): Reply => ({ status: 200, body: templateShape.map(template, site) }),
  { status: 200, shape: templateShape },
)

/** Not in the specification; editors offer the texts for new files. */
const extension = { extension: true } satisfies RouteOptions
const names = { project: 'projectName' }

const kindRoutes = (['gitignores', 'gitlab_ci_ymls', 'dockerfiles'] as const).flatMap((type) => {
  const options = { ...extension, fixedInput: { type } } satisfies RouteOptions
  return [
    route(`GET /templates/${type}`, templates.list, page(TemplateSummaryWire), options),
    route(`GET /templates/${type}/:key`, templates.get, one(TemplateWire), options),
  ]
})

export const templateRoutes = [
  ...kindRoutes,
  route('GET /templates/licenses', templates.listLicenses, page(LicenseWire), extension),
  route('GET /templates/licenses/:key', templates.getLicense, one(LicenseWire), { ...extension, names }),
  route('GET /projects/:id/templates/:type', projectTemplates.list, page(TemplateSummaryWire), extension),
  route('GET /projects/:id/templates/:type/:name', projectTemplates.get, templateOrLicense, { ...extension, names }),
]
