import type { PipelineStatus } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, wire } from '../reply/wire.ts'

interface DetailedStatus {
  readonly status: PipelineStatus
  /** Path of the page. */
  readonly path: string
}

/** The texts of a status, where they differ from its name. */
const texts: Partial<Readonly<Record<PipelineStatus, string>>> = {
  success: 'passed',
  waiting_for_resource: 'waiting',
}

const getText = ({ status }: DetailedStatus) => texts[status] ?? status

/** A status as pages show it. */
export const DetailedStatusWire = wire<DetailedStatus>('DetailedStatus')({
  /** Name of the icon. */
  icon: computed(v.string(), ({ status }: DetailedStatus) => `status_${status}`),
  /** Text of the status. */
  text: computed(v.string(), getText),
  /** Text of the badge. */
  label: computed(v.string(), getText),
  /** Kind of status. */
  group: computed(v.string(), ({ status }: DetailedStatus) => status),
  /** Text that appears when the pointer rests on the badge. */
  tooltip: computed(v.string(), getText),
  /** Whether the status has a page. */
  has_details: computed(v.boolean(), () => true),
  /** Path of the page. */
  details_path: computed(v.string(), ({ path }: DetailedStatus) => path),
  /** Always null: the platform has no pictures of statuses. */
  illustration: computed(v.null(), () => null),
  /** Always null: the platform has no pictures of statuses. */
  favicon: computed(v.null(), () => null),
})
