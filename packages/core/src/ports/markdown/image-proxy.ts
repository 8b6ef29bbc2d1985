import { createHmac } from 'node:crypto'
import { isDomainListed } from '../../shared/domain-list.ts'

/** A Camo-compatible proxy for images of other sites. Plain data, so that it can be sent to a worker thread. */
export interface ImageProxy {
  /** Part of the cache key of rendered lines: differs when the other properties differ. Without line breaks. */
  readonly id: string
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
 * Rewrites absolute or relative URLs of images of other sites to URLs of the proxy: `<proxy>/<signature>/<url>`. The signature
 * is the HMAC-SHA1 (RFC 2104) of the URL; both are hexadecimal.
 */
export const createImageRewriter = ({ url, secret, directDomains, siteUrl }: Omit<ImageProxy, 'id'>) => {
  const root = url.replace(/\/+$/, '')
  const siteHost = hostOf(siteUrl)
  const proxyHost = hostOf(url)
  return (imageUrl: string): string => {
    // Without a site URL, a relative URL cannot be resolved and stays as it is.
    const parsed = URL.parse(imageUrl, siteUrl ?? 'http://site.invalid')
    if (!parsed || (siteUrl === undefined && parsed.hostname === 'site.invalid')) return imageUrl
    const { hostname, href } = parsed
    if (hostname === siteHost || hostname === proxyHost || isDomainListed(hostname, directDomains)) return imageUrl
    const signature = createHmac('sha1', secret).update(href).digest('hex')
    return `${root}/${signature}/${Buffer.from(href).toString('hex')}`
  }
}
