import { features } from '@forgelet/core/operations'
import { one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { ReleaseLinkWire, ReleaseWire } from '../shapes/release.ts'

const { releases, releaseLinks } = features

/** Not in the specification; release tools need them. Releases contain commits, and the git port rejects what exceeds its limits. */
const extension = { extension: true, errors: [422] } satisfies RouteOptions
const linkOptions = { ...extension, names: { link_id: 'link' } } satisfies RouteOptions

const releasesPath = '/projects/:id/releases'
const releasePath = `${releasesPath}/:tag_name` as const
const linksPath = `${releasePath}/assets/links` as const

export const releaseRoutes = [
  route(`GET ${releasesPath}`, releases.list, page(ReleaseWire), extension),
  route(`POST ${releasesPath}`, releases.create, one(ReleaseWire), { ...extension, hidden: ['author'] }),
  route(`GET ${releasesPath}/permalink/latest`, releases.latest, one(ReleaseWire), extension),
  route(`GET ${releasePath}`, releases.get, one(ReleaseWire), extension),
  route(`PUT ${releasePath}`, releases.update, one(ReleaseWire), extension),
  route(`DELETE ${releasePath}`, releases.remove, one(ReleaseWire), extension),
  route(`GET ${linksPath}`, releaseLinks.list, page(ReleaseLinkWire), extension),
  route(`POST ${linksPath}`, releaseLinks.create, one(ReleaseLinkWire), extension),
  route(`GET ${linksPath}/:link_id`, releaseLinks.get, one(ReleaseLinkWire), linkOptions),
  route(`PUT ${linksPath}/:link_id`, releaseLinks.update, one(ReleaseLinkWire), linkOptions),
  route(`DELETE ${linksPath}/:link_id`, releaseLinks.remove, one(ReleaseLinkWire), linkOptions),
]
