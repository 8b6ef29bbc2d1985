import type { RepositoryFile } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer } from '../reply/field-types.ts'
import { wire } from '../reply/wire.ts'

export const RepositoryFileWire = wire<RepositoryFile>('RepositoryFile')({
  file_name: v.string(),
  file_path: v.string(),
  size: Integer,
  encoding: v.literal('base64'),
  content: v.string(),
  content_sha256: v.string(),
  ref: v.string(),
  blob_id: v.string(),
  commit_id: v.string(),
  execute_filemode: v.boolean(),
})
