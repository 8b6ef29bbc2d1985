import type { CommitDetails, CommitReference, CommitSequence, CommitStats, DryRun } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableText } from '../reply/field-types.ts'
import { nullable, optional, wire } from '../reply/wire.ts'
import { PipelineSummaryWire } from './pipeline.ts'
import { CommitWire } from './repository.ts'

const StatsWire = wire<CommitStats>('CommitStats')({ additions: Integer, deletions: Integer, total: Integer })

export const CommitDetailsWire = wire<CommitDetails>('CommitDetails')({
  ...CommitWire.fields,
  stats: optional(StatsWire),
  project_id: Integer,
  status: NullableText,
  last_pipeline: nullable(PipelineSummaryWire),
})

export const CommitReferenceWire = wire<CommitReference>('CommitReference')({
  type: v.picklist(['branch', 'tag']),
  name: v.string(),
})

export const CommitSequenceWire = wire<CommitSequence>('CommitSequence')({ count: Integer })

export const DryRunWire = wire<DryRun>('DryRun')({ dry_run: v.literal('success') })
