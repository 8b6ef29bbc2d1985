import { features, type Version } from '@forgelet/core/operations'
import * as v from 'valibot'
import { one } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const VersionWire = wire<Version>('Version')({ version: v.string(), revision: v.string(), enterprise: v.boolean() })

export const versionRoutes = [route('GET /version', features.instance.version, one(VersionWire), { extension: true })]
