import type { CustomAttribute } from '@forgelet/core/operations'
import * as v from 'valibot'
import { wire } from '../reply/wire.ts'

/** Specification 1, "Custom attribute". */
export const CustomAttributeWire = wire<CustomAttribute>('CustomAttribute')({ key: v.string(), value: v.string() })
