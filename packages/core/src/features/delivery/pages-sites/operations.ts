import * as v from 'valibot'
import { instance, project } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { atLeastOne } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { domainKey } from '../pages-domains/domain-name.ts'
import { keyContext } from '../pages-domains/pages-domain.ts'
import { assertProjectPagesEnabled, domains } from '../pages-domains/queries.ts'
import { findSite } from './find-site.ts'
import { findMoved } from './moved.ts'
import type { PagesReply, PagesSite } from './pages-site.ts'
import { findDeployment, removeDeployment } from './queries.ts'
import { readSiteFile } from './read-file.ts'
import { readSiteAccess } from './visible-site.ts'

const selectChoices = ({ db }: Context, projectId: number) =>
  db.selectFrom('pagesSite').where('projectId', '=', projectId).selectAll().executeTakeFirst()

/** `web-1f` and random digits: unique, and a valid label of a host name. */
const createUniqueDomain = ({ ports }: Context, { path }: Project): string => {
  const name = path
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return `${name.slice(0, 40) || 'site'}-${Buffer.from(ports.random.bytes(8)).toString('hex')}`
}

const describe = async (ctx: Context, { id, fullPath }: Project): Promise<PagesSite> => {
  const choices = await selectChoices(ctx, id)
  const deployment = await findDeployment(ctx, id)
  const { isUniqueDomainEnabled = false, httpsOnly: forceHttps = false, primaryDomain = null } = choices ?? {}
  const [namespace = '', ...rest] = fullPath.toLowerCase().split('/')
  const all = ctx.ports.pages.host
  const label = isUniqueDomainEnabled ? choices?.uniqueDomain : namespace
  const ownHost = all === undefined ? null : `${label}.${all}`
  const isRoot = primaryDomain !== null || isUniqueDomainEnabled || rest.join('/') === ownHost?.toLowerCase()
  return {
    projectPath: fullPath,
    host: primaryDomain ?? ownHost,
    path: isRoot ? '' : `/${rest.join('/')}`,
    ...{ isUniqueDomainEnabled, forceHttps, primaryDomain },
    deployments: deployment ? [{ createdAt: deployment.createdAt, rootDirectory: deployment.rootDirectory }] : [],
  }
}

/** @throws PlatformError `invalid` for a host that is no domain of the project */
const findDomain = async ({ db }: Context, projectId: number, name: string) => {
  const domain = await db
    .selectFrom('pagesDomain')
    .where('projectId', '=', projectId)
    .where(lower('name'), '=', name.toLowerCase())
    .select('name')
    .executeTakeFirst()
  if (!domain) throw invalid({ pagesPrimaryDomain: ['is not a domain of the project'] })
  return domain.name.toLowerCase()
}

/** The sites that projects publish with their jobs. */
export const pagesSites = {
  /** Gets where the site of a project is, and what is published. Fails with `not_found` if pages are disabled. */
  get: query({
    on: project,
    can: 'pagesDomain.read',
    async run(ctx, _input, { project }): Promise<PagesSite> {
      await assertProjectPagesEnabled(ctx, project.id)
      return describe(ctx, project)
    },
  }),

  /** Changes the address of the site of a project; omitted fields keep their values. */
  update: command({
    on: project,
    can: 'pagesDomain.manage',
    input: {
      /** Whether the site has a host of its own below the host of all sites. Default of a new site: false. */
      pagesUniqueDomainEnabled: v.optional(v.boolean()),
      /** Whether requests without TLS are redirected, where the domain has a certificate. Default of a new site: false. */
      pagesHttpsOnly: v.optional(v.boolean()),
      /** Domain of the project to which requests at other hosts are redirected; null or empty for none, the default of a new site. */
      pagesPrimaryDomain: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(255)))),
    },
    rules: [atLeastOne('pagesUniqueDomainEnabled', 'pagesHttpsOnly', 'pagesPrimaryDomain')],
    async run(ctx, input, { project }): Promise<PagesSite> {
      await assertProjectPagesEnabled(ctx, project.id)
      const { pagesUniqueDomainEnabled: unique, pagesHttpsOnly: httpsOnly, pagesPrimaryDomain: primary } = input
      const changes = {
        ...(unique !== undefined && { isUniqueDomainEnabled: unique }),
        ...(httpsOnly !== undefined && { httpsOnly }),
        ...(primary !== undefined && { primaryDomain: primary ? await findDomain(ctx, project.id, primary) : null }),
      }
      const row = {
        ...{ isUniqueDomainEnabled: false, httpsOnly: false, primaryDomain: null },
        ...{ projectId: project.id, uniqueDomain: createUniqueDomain(ctx, project), ...changes },
      } satisfies CompleteRow<'pagesSite'>
      await ctx.db
        .insertInto('pagesSite')
        .values(row)
        .onConflict((conflict) => conflict.column('projectId').doUpdateSet(changes))
        .execute()
      return describe(ctx, project)
    },
  }),

  /** Removes the published site of a project. A later job can publish it again. */
  remove: command({
    on: project,
    can: 'pagesDomain.manage',
    async run(ctx, _input, { project }) {
      await assertProjectPagesEnabled(ctx, project.id)
      await removeDeployment(ctx, project.id)
    },
  }),

  /** Gets whether a host is a verified domain of a site, with its certificate. For the host, which serves sites. */
  getDomain: query({
    on: instance,
    can: 'pagesSite.serve',
    input: {
      /** Name of the host. */
      host: v.pipe(v.string(), v.maxLength(255)),
    },
    async run(ctx, { host }) {
      const row = await domains(ctx)
        .where(lower('name'), '=', domainKey(host))
        .where('enabledUntil', '>', ctx.now)
        .executeTakeFirst()
      return {
        /** Whether a project has proven to control the domain. */
        isServed: row !== undefined,
        /** PEM, with its chain; null without one. */
        certificate: row?.certificate ?? null,
        /** Private key of the certificate, PEM; null without one. */
        key: row?.sealedKey ? ctx.ports.secrets.open(row.sealedKey, keyContext(row.id)) : null,
      }
    },
  }),

  /**
   * Gets what a site answers to a request: a file, or another address. Fails with `not_found` for a missing file, and for a site that the
   * current user may not see.
   */
  getFile: query({
    on: instance,
    can: 'pagesSite.view',
    input: {
      /** Host of the request in lower case, without a port. Default: that of the platform. */
      host: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Path of the request, percent-encoded; without `host`, it begins with the full path of the project. */
      path: v.pipe(v.string(), v.maxLength(8_192)),
      /** Whether the request was encrypted. Default: false. */
      isSecure: v.optional(v.boolean(), false),
    },
    async run(ctx, { host, path, isSecure }) {
      const site = await findSite(ctx, { host, path })
      const { isVisible, isPublic } = site
        ? await readSiteAccess(ctx, site.project)
        : { isVisible: false, isPublic: false }
      if (!site || !isVisible) throw notFound('')
      const own = host === undefined && isPublic ? await describe(ctx, site.project) : undefined
      if (own && own.host !== null)
        return {
          kind: 'redirect',
          status: 302,
          location: `//${own.host}${own.path}${site.path || '/'}`,
          isPublic,
        } satisfies PagesReply
      const moved = await findMoved(ctx, site, isSecure)
      if (moved === undefined) return readSiteFile(ctx, site, isPublic)
      return { kind: 'redirect', status: 302, location: moved, isPublic } satisfies PagesReply
    },
  }),
}
