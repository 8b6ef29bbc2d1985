import * as v from 'valibot'
import { Integer, NullableText } from '../reply/field-types.ts'
import { computed } from '../reply/wire.ts'

/** Estimated and spent time. Always zero: the platform does not track time. */
export const timeStats = computed(
  v.strictObject({
    /** Estimated time in seconds. */
    time_estimate: Integer,
    /** Spent time in seconds. */
    total_time_spent: Integer,
    /** Estimated time as text, such as `1h 30m`; null for none. */
    human_time_estimate: NullableText,
    /** Spent time as text, such as `1h 30m`; null for none. */
    human_total_time_spent: NullableText,
  }),
  () => ({ time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null }),
)
