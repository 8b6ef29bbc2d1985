import * as v from 'valibot'
import { computed } from '../reply/wire.ts'

/** Id of the organization of a group or topic: 1, because an instance is one organization. */
export const organizationIdField = computed(v.literal(1), () => 1 as const)
