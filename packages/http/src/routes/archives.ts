import { type ArchiveContent, type ExportDetails, features, type ImportDetails } from '@forgelet/core/operations'
import * as v from 'valibot'
import { formatAttachment } from '../reply/content-disposition.ts'
import { DateTime, Integer, NullableText } from '../reply/field-types.ts'
import { accepted, file, one } from '../reply/responders.ts'
import { computed, optional, wire } from '../reply/wire.ts'
import { isParameters } from '../request/converters.ts'
import type { Parameters } from '../request/parameters.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { namespaceOptions } from './forks.ts'
import { olderParameters, readProjectParameters } from './projects.ts'

const containerFields = {
  id: Integer,
  description: NullableText,
  name: v.string(),
  name_with_namespace: v.string(),
  path: v.string(),
  /** Full path: `acme/web`. */
  path_with_namespace: computed(v.string(), ({ fullPath }: ExportDetails | ImportDetails) => fullPath),
  created_at: DateTime,
}

/** The addresses of an archive. */
interface ExportLinks {
  readonly apiUrl: string
  readonly webUrl: string
}

/** The addresses of an archive. */
const ExportLinksWire = wire<ExportLinks>('ExportLinks')({
  /** Address of the archive in the API. */
  api_url: v.string(),
  /** The same address: archives have no web page. */
  web_url: v.string(),
})

/** The state of the last export of a project or a group. */
const ExportWire = wire<ExportDetails>('Export')({
  ...containerFields,
  export_status: v.string(),
  export_error: NullableText,
  /** Addresses of the archive; omitted without one. */
  _links: computed(
    optional(ExportLinksWire),
    ({ id, kind, isDownloadable }: ExportDetails, site): ExportLinks | undefined => {
      const address = `${site.url}/api/v4/${kind}s/${id}/export/download`
      return isDownloadable ? { apiUrl: address, webUrl: address } : undefined
    },
  ),
})

/** The state of the import that created a project or a group. */
const ImportWire = wire<ImportDetails>('Import')({
  ...containerFields,
  import_status: v.string(),
  import_type: NullableText,
  correlation_id: NullableText,
  failed_relations: v.array(v.never()),
  import_error: NullableText,
  /** Always null: objects are counted only during imports from GitHub. */
  stats: computed(v.null(), () => null),
})

const { exports, imports } = features

const download = file(['application/gzip'], ({ fileName, size, content }: ArchiveContent) => ({
  bytes: content,
  headers: {
    'Content-Length': String(size),
    'Content-Type': 'application/gzip',
    'Content-Disposition': formatAttachment(fileName, 'file'),
    'Cache-Control': 'max-age=0, private, must-revalidate',
  },
}))

const megabyte = 1024 ** 2

/** Not in the specification; clients move projects between instances with them. */
const extension = { extension: true } satisfies RouteOptions
/** An archive of the default setting `maxImportSize`, and other parameters. */
const archiveBody = {
  ...extension,
  files: ['file'],
  hidden: ['author'],
  maxBodySize: 51 * megabyte,
} satisfies RouteOptions

/** `override_params` has the parameters of a new project. */
const readOverrides = (parameters: Parameters): Parameters => {
  const { override_params: overrides, ...sent } = namespaceOptions.rewrite(parameters)
  if (!isParameters(overrides)) return { ...sent, ...(overrides !== undefined && { override_params: overrides }) }
  const { container_expiration_policy_attributes: policy, ...others } = readProjectParameters(overrides)
  return {
    ...sent,
    override_params: { ...others, ...(policy !== undefined && { container_expiration_policy: policy }) },
  }
}

const projectImport = {
  ...namespaceOptions,
  rewrite: readOverrides,
  wireParameters: {
    ...namespaceOptions.wireParameters,
    ...Object.fromEntries(
      Object.entries(olderParameters).map(([name, schema]) => [`override_params[${name}]`, schema]),
    ),
  },
} satisfies RouteOptions

export const archiveRoutes = [
  route('POST /projects/:id/export', exports.create, accepted(), extension),
  route('GET /projects/:id/export', exports.get, one(ExportWire), extension),
  route('GET /projects/:id/export/download', exports.download, download, extension),
  route('POST /projects/import', imports.createProject, one(ImportWire), { ...archiveBody, ...projectImport }),
  route('GET /projects/:id/import', imports.get, one(ImportWire), extension),
  route('POST /groups/:id/export', exports.create, accepted(), extension),
  route('GET /groups/:id/export', exports.get, one(ExportWire), extension),
  route('GET /groups/:id/export/download', exports.download, download, extension),
  route('POST /groups/import', imports.createGroup, accepted(), { ...archiveBody, names: { parent_id: 'parent' } }),
  route('GET /groups/:id/import', imports.get, one(ImportWire), extension),
]
