import { features, type PagesDeployment, type PagesSite } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Url } from '../reply/field-types.ts'
import { empty, one } from '../reply/responders.ts'
import { computed, list, type Site, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const { pagesSites } = features

/** Without a host for all sites, a site is below the path of previews. */
const toSiteUrl = ({ host, path, projectPath, forceHttps }: PagesSite, site: Site): string => {
  if (host === null) return `${site.url}/-/pages/${projectPath}`
  return `${forceHttps || site.url.startsWith('https:') ? 'https' : 'http'}://${host}${path}`
}

/** What is published, with the address of its site. */
type PublishedSite = PagesDeployment & { readonly url: string }

const PagesDeploymentWire = wire<PublishedSite>('PagesDeployment')({
  created_at: DateTime,
  /** Address of the published site. */
  url: Url,
  /** Always empty: a project has one site. */
  path_prefix: computed(v.literal(''), () => '' as const),
  root_directory: v.string(),
})

const PagesSiteWire = wire<PagesSite>('PagesSite')({
  /** Address of the site. */
  url: computed(Url, toSiteUrl),
  is_unique_domain_enabled: v.boolean(),
  force_https: v.boolean(),
  deployments: computed(list(PagesDeploymentWire), (own: PagesSite, site: Site) =>
    own.deployments.map((deployment) => ({ ...deployment, url: `${toSiteUrl(own, site)}/` })),
  ),
  primary_domain: v.nullable(v.string()),
})

const path = '/projects/:id/pages'
const extension = { extension: true } as const

export const pagesSiteRoutes = [
  route(`GET ${path}`, pagesSites.get, one(PagesSiteWire), extension),
  route(`PATCH ${path}`, pagesSites.update, one(PagesSiteWire), extension),
  route(`DELETE ${path}`, pagesSites.remove, empty(), extension),
]
