import { features } from '@forgelet/core/operations'
import { route } from '../route.ts'
import { one, page } from '../send.ts'
import { ReleaseLinkWire, ReleaseWire } from '../shapes/release.ts'
import { RepositoryFileWire } from '../shapes/repository-file.ts'
import { raw } from './repository.ts'

const { releases, releaseLinks, repositoryFiles } = features

/** Not in the documents: what release tools are for. */
const extension = { extension: true } as const
const ofLink = { ...extension, names: { link_id: 'link' } } as const

const all = '/projects/:id/releases'
const single = `${all}/:tag_name` as const
const links = `${single}/assets/links` as const
const file = '/projects/:id/repository/files/:file_path'

export const releaseRoutes = [
  route(`GET ${all}`, releases.list, page(ReleaseWire), extension),
  route(`POST ${all}`, releases.create, one(ReleaseWire), { ...extension, omit: ['author'] }),
  route(`GET ${single}`, releases.get, one(ReleaseWire), extension),
  route(`PUT ${single}`, releases.update, one(ReleaseWire), extension),
  route(`DELETE ${single}`, releases.remove, one(ReleaseWire), extension),
  route(`GET ${links}`, releaseLinks.list, page(ReleaseLinkWire), extension),
  route(`POST ${links}`, releaseLinks.create, one(ReleaseLinkWire), extension),
  route(`GET ${links}/:link_id`, releaseLinks.get, one(ReleaseLinkWire), ofLink),
  route(`PUT ${links}/:link_id`, releaseLinks.update, one(ReleaseLinkWire), ofLink),
  route(`DELETE ${links}/:link_id`, releaseLinks.remove, one(ReleaseLinkWire), ofLink),

  route(`GET ${file}`, repositoryFiles.get, one(RepositoryFileWire), extension),
  route(`GET ${file}/raw`, repositoryFiles.raw, raw, extension),
]
