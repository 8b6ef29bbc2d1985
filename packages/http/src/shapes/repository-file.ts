import type { BlameSection, RepositoryFile, WrittenFile } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer } from '../reply/field-types.ts'
import { wire } from '../reply/wire.ts'
import { CommitWire } from './repository.ts'

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
  last_commit_id: v.string(),
  execute_filemode: v.boolean(),
})

export const WrittenFileWire = wire<WrittenFile>('WrittenFile')({ file_path: v.string(), branch: v.string() })

export const BlameSectionWire = wire<BlameSection>('BlameSection')({
  commit: CommitWire,
  lines: v.array(v.string()),
})
