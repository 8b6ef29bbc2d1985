import { type FreezePeriod, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { freezePeriods } = features

const FreezePeriodWire = wire<FreezePeriod>('FreezePeriod')({
  id: Integer,
  freeze_start: v.string(),
  freeze_end: v.string(),
  cron_timezone: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
})

const base = '/projects/:id/freeze_periods'
const path = `${base}/:freeze_period_id` as const
const extension = { extension: true } satisfies RouteOptions
const options = { ...extension, names: { freeze_period_id: 'freezePeriod' } } satisfies RouteOptions

export const freezePeriodRoutes = [
  route(`GET ${base}`, freezePeriods.list, page(FreezePeriodWire), extension),
  route(`POST ${base}`, freezePeriods.create, one(FreezePeriodWire), extension),
  route(`GET ${path}`, freezePeriods.get, one(FreezePeriodWire), options),
  route(`PUT ${path}`, freezePeriods.update, one(FreezePeriodWire), options),
  route(`DELETE ${path}`, freezePeriods.remove, empty(), options),
]
