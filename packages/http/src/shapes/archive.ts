import type { ExportDetails, ImportDetails } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText } from '../reply/field-types.ts'
import { computed, optional, wire } from '../reply/wire.ts'

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
export const ExportWire = wire<ExportDetails>('Export')({
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
export const ImportWire = wire<ImportDetails>('Import')({
  ...containerFields,
  import_status: v.string(),
  import_type: NullableText,
  correlation_id: NullableText,
  failed_relations: v.array(v.never()),
  import_error: NullableText,
})
