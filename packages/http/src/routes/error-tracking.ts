import { type ErrorTracking, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { one } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const { errorTracking } = features

/** Specification 2, "Error tracking settings". */
const ErrorTrackingWire = wire<ErrorTracking>('ErrorTrackingSettings')({
  active: v.boolean(),
  project_name: v.string(),
  tracker_external_url: v.string(),
  api_url: v.string(),
})

const settings = '/projects/:id/error_tracking/settings'

export const errorTrackingRoutes = [
  route(`GET ${settings}`, errorTracking.get, one(ErrorTrackingWire)),
  route(`PATCH ${settings}`, errorTracking.update, one(ErrorTrackingWire)),
]
