import { type EvidenceContent, features, type LatestReleaseLocation, type ReleaseLink } from '@forgelet/core/operations'
import { formatAttachment } from '../reply/content-disposition.ts'
import { file, one, page, redirect } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { ReleaseEvidenceWire, ReleaseLinkWire, ReleaseWire } from '../shapes/release.ts'

const { releases, releaseEvidences, releaseLinks } = features

/** Not in the specification; release tools need them. Releases contain commits, and the git port rejects what exceeds its limits. */
const extension = { extension: true, errors: [422] } satisfies RouteOptions
const linkOptions = { ...extension, names: { link_id: 'link' } } satisfies RouteOptions

const releasesPath = '/projects/:id/releases'
const releasePath = `${releasesPath}/:tag_name` as const
const linksPath = `${releasePath}/assets/links` as const

/** The bytes of the record, so that clients can compare its digest. */
const evidenceFile = file(['application/octet-stream'], ({ data }: EvidenceContent) => ({
  bytes: data,
  headers: {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': formatAttachment('evidence.json', 'file'),
  },
}))

/** Headers contain only ASCII characters. */
const toAsset = redirect(({ url }: ReleaseLink) => URL.parse(url)?.href ?? '')

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

const toLatest = redirect(
  ({ projectId, tagName, suffixPath }: LatestReleaseLocation, site) =>
    `${site.url}/api/v4/projects/${projectId}/releases/${encodeURIComponent(tagName)}/${encodePath(suffixPath)}`,
)

export const releaseRoutes = [
  route(`GET ${releasesPath}`, releases.list, page(ReleaseWire), extension),
  route(`POST ${releasesPath}`, releases.create, one(ReleaseWire), { ...extension, hidden: ['author'] }),
  route(`GET ${releasesPath}/permalink/latest`, releases.getLatest, one(ReleaseWire), extension),
  route(`GET ${releasesPath}/permalink/latest/:suffix_path`, releases.getLatestLocation, toLatest, {
    ...extension,
    multiSegmentParams: ['suffix_path'],
  }),
  route(`GET ${releasePath}/downloads/:direct_asset_path`, releaseLinks.locate, toAsset, {
    ...extension,
    multiSegmentParams: ['direct_asset_path'],
  }),
  route(`POST ${releasePath}/evidence`, releaseEvidences.collect, one(ReleaseEvidenceWire), {
    ...extension,
    creates: false,
  }),
  route(`GET ${releasePath}/evidences/:evidence_id`, releaseEvidences.get, evidenceFile, {
    ...extension,
    names: { evidence_id: 'evidence' },
  }),
  route(`GET ${releasePath}`, releases.get, one(ReleaseWire), extension),
  route(`PUT ${releasePath}`, releases.update, one(ReleaseWire), extension),
  route(`DELETE ${releasePath}`, releases.remove, one(ReleaseWire), extension),
  route(`GET ${linksPath}`, releaseLinks.list, page(ReleaseLinkWire), extension),
  route(`POST ${linksPath}`, releaseLinks.create, one(ReleaseLinkWire), extension),
  route(`GET ${linksPath}/:link_id`, releaseLinks.get, one(ReleaseLinkWire), linkOptions),
  route(`PUT ${linksPath}/:link_id`, releaseLinks.update, one(ReleaseLinkWire), linkOptions),
  route(`DELETE ${linksPath}/:link_id`, releaseLinks.remove, one(ReleaseLinkWire), linkOptions),
]
