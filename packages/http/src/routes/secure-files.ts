import { features, type SecureFile } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { download } from './uploads.ts'

const { secureFiles } = features

/** A file that the jobs of a project need. */
const SecureFileWire = wire<SecureFile>('SecureFile')({
  id: Integer,
  name: v.string(),
  checksum: v.string(),
  /** Always `sha256`. */
  checksum_algorithm: computed(v.literal('sha256'), () => 'sha256' as const),
  created_at: DateTime,
  /** The end of the name after the last dot, such as `pem`; null without one. */
  file_extension: computed(NullableText, ({ name }: SecureFile) => /\.([^./]+)$/.exec(name)?.[1] ?? null),
  /** Always null: certificates are not read. */
  expires_at: computed(v.null(), () => null),
  /** Always null: certificates are not read. */
  metadata: computed(v.null(), () => null),
})

const extension = { extension: true } satisfies RouteOptions
const fileOptions = { ...extension, names: { secure_file_id: 'secureFile' } } satisfies RouteOptions

export const secureFileRoutes = [
  route('GET /projects/:id/secure_files', secureFiles.list, page(SecureFileWire), extension),
  route('POST /projects/:id/secure_files', secureFiles.create, one(SecureFileWire), { ...extension, files: ['file'] }),
  route('GET /projects/:id/secure_files/:secure_file_id', secureFiles.get, one(SecureFileWire), fileOptions),
  route('GET /projects/:id/secure_files/:secure_file_id/download', secureFiles.download, download, fileOptions),
  route('DELETE /projects/:id/secure_files/:secure_file_id', secureFiles.remove, empty(), fileOptions),
]
