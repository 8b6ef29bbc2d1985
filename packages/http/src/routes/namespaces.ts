import { features } from '@forgelet/core/operations'
import { one, page } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { NamespaceRecordWire, PathAvailabilityWire } from '../shapes/namespace.ts'

const { namespaces } = features

const extension = { extension: true } as const

export const namespaceRoutes = [
  route('GET /namespaces', namespaces.list, page(NamespaceRecordWire), extension),
  route('GET /namespaces/:id', namespaces.get, one(NamespaceRecordWire), {
    ...extension,
    names: { id: 'namespace' },
  }),
  route('GET /namespaces/:path/exists', namespaces.getPathAvailability, one(PathAvailabilityWire), extension),
]
