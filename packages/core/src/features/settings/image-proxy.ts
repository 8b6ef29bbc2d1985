import { createHmac, hash } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import { chain, type MaybePromise } from '../../kernel/store.ts'
import type { Images } from '../../ports/markdown/attribute-rules.ts'
import { isDomainListed } from './domain-list.ts'
import { getSettings } from './queries.ts'
import { readSecretSetting } from './secret-values.ts'

interface ImageProxyOptions {
  /** Base URL of the proxy. */
  readonly url: string
  /** Shared with the proxy, which verifies the signature of each request. */
  readonly secret: string
  /** Domains of images that are loaded directly; `*` matches any text. */
  readonly directDomains: readonly string[]
  /** URL of the platform's own site; relative image URLs are resolved against it. */
  readonly siteUrl: string | undefined
}

const hostOf = (url: string | undefined) => (url === undefined ? undefined : URL.parse(url)?.hostname)

/**
 * Rewrites images of other sites to URLs of a Camo-compatible proxy: `<proxy>/<signature>/<url>`. The signature is the
 * HMAC-SHA1 (RFC 2104) of the URL; both are hexadecimal.
 */
export const createProxiedImages = ({ url, secret, directDomains: direct, siteUrl }: ImageProxyOptions): Images => {
  const root = url.replace(/\/+$/, '')
  const siteHost = hostOf(siteUrl)
  const proxyHost = hostOf(url)
  return {
    id: hash('sha256', JSON.stringify([root, secret, direct, siteHost ?? null]), 'hex'),
    address(imageUrl) {
      // Without a site URL, a relative URL cannot be resolved and stays as it is.
      const parsed = URL.parse(imageUrl, siteUrl ?? 'http://site.invalid')
      if (!parsed || (siteUrl === undefined && parsed.hostname === 'site.invalid')) return imageUrl
      const { hostname, href } = parsed
      if (hostname === siteHost || hostname === proxyHost || isDomainListed(hostname, direct)) return imageUrl
      const signature = createHmac('sha1', secret).update(href).digest('hex')
      return `${root}/${signature}/${Buffer.from(href).toString('hex')}`
    },
  }
}

/** Rewrites image URLs in user content; undefined while the proxy is disabled. */
export const getImageProxy = (ctx: Context): MaybePromise<Images | undefined> =>
  chain(getSettings(ctx), ({ assetProxyEnabled, assetProxyUrl: url, assetProxyWhitelist: direct }) =>
    assetProxyEnabled && url ? loadImageProxy(ctx, url, direct) : undefined,
  )

const loadImageProxy = async (ctx: Context, url: string, direct: readonly string[]): Promise<Images> => {
  const secret = (await readSecretSetting(ctx, 'assetProxySecretKey')) ?? ''
  return createProxiedImages({ url, secret, directDomains: direct, siteUrl: ctx.call.siteUrl })
}
