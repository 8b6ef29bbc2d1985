import * as v from 'valibot'
import { inputChanges, inputList } from '../pipelines/pipeline-input.ts'

const Description = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const Ref = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024))
const Cron = v.pipe(v.string(), v.maxLength(255))
const TimeZone = v.pipe(v.string(), v.maxLength(255))

export const newScheduleEntries = {
  /** Name for people, at most 255 characters. */
  description: Description,
  /** Branch or tag of the pipelines, with or without `refs/heads/` or `refs/tags/`. It need not exist yet. */
  ref: Ref,
  /** When it creates pipelines: minute, hour, day of the month, month and day of the week, such as `0 1 * * *`. */
  cron: Cron,
  /** Time zone of `cron`, an IANA name such as `Europe/Berlin`. Default: `UTC`. */
  cronTimezone: v.optional(TimeZone, 'UTC'),
  /** Whether it creates pipelines. Default: true. */
  active: v.optional(v.boolean(), true),
  /** Values for the inputs in the header of the pipeline file, at most 20. Default: none. */
  inputs: v.optional(inputList, []),
}

export const scheduleChangeEntries = {
  /** New name for people, at most 255 characters. */
  description: v.optional(Description),
  /** New branch or tag of the pipelines. */
  ref: v.optional(Ref),
  /** New times, as in `create`. */
  cron: v.optional(Cron),
  /** New time zone, an IANA name. */
  cronTimezone: v.optional(TimeZone),
  /** Whether it creates pipelines. */
  active: v.optional(v.boolean()),
  /** Values for inputs, which replace those with the same names; with `destroy`, the value is removed. Others remain. */
  inputs: v.optional(inputChanges),
}
