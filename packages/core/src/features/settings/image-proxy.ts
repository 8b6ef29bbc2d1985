import { createHmac, hash } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import { after, type Soon } from '../../kernel/store.ts'
import type { Images } from '../../ports/markdown/attribute-rules.ts'
import { domainIn } from './domain-list.ts'
import { settingsInForce } from './queries.ts'
import { secretSetting } from './secret-values.ts'

interface Proxy {
  /** Where it is. */
  readonly url: string
  /** Shared with it, so that it fetches only what this platform has asked for. */
  readonly secret: string
  /** Domains whose images do not pass it; `*` stands for any text. */
  readonly direct: readonly string[]
  /** Where the platform itself is served; relative addresses lead there. */
  readonly siteUrl: string | undefined
}

const hostOf = (address: string | undefined) => (address === undefined ? undefined : URL.parse(address)?.hostname)

/**
 * Sends images of other sites through a proxy that is asked as Camo is: `<proxy>/<signature>/<address>`, the signature an
 * HMAC-SHA1 of the address (RFC 2104), both in hexadecimal digits.
 */
export const imagesThrough = ({ url, secret, direct, siteUrl }: Proxy): Images => {
  const root = url.replace(/\/+$/, '')
  const own = hostOf(siteUrl)
  const proxyHost = hostOf(url)
  return {
    id: hash('sha256', JSON.stringify([root, secret, direct, own ?? null]), 'hex'),
    address(written) {
      // Without a site to stand on, only an address with a host leads to another site.
      const parsed = URL.parse(written, siteUrl ?? 'http://site.invalid')
      if (!parsed || (siteUrl === undefined && parsed.hostname === 'site.invalid')) return written
      const { hostname, href } = parsed
      if (hostname === own || hostname === proxyHost || domainIn(hostname, direct)) return written
      const signature = createHmac('sha1', secret).update(href).digest('hex')
      return `${root}/${signature}/${Buffer.from(href).toString('hex')}`
    },
  }
}

/** Where images in what people write are fetched from; undefined while that is where they are. */
export const imageProxy = (ctx: Context): Soon<Images | undefined> =>
  after(settingsInForce(ctx), ({ assetProxyEnabled, assetProxyUrl: url, assetProxyWhitelist: direct }) =>
    assetProxyEnabled && url ? throughProxy(ctx, url, direct) : undefined,
  )

const throughProxy = async (ctx: Context, url: string, direct: readonly string[]): Promise<Images> => {
  const secret = (await secretSetting(ctx, 'assetProxySecretKey')) ?? ''
  return imagesThrough({ url, secret, direct, siteUrl: ctx.call.siteUrl })
}
