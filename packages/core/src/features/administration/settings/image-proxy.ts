import { hash } from 'node:crypto'
import type { Context } from '../../../kernel/context.ts'
import { chain, type MaybePromise } from '../../../kernel/store.ts'
import type { ImageProxy } from '../../../ports/markdown/image-proxy.ts'
import { createLineBudget, type LineOptions } from '../../../ports/markdown.ts'
import { getSettings } from './queries.ts'
import { readSecretSetting } from './secret-values.ts'

/** The proxy for images in user content; undefined while it is disabled. */
export const getImageProxy = (ctx: Context): MaybePromise<ImageProxy | undefined> =>
  chain(getSettings(ctx), ({ assetProxyEnabled, assetProxyUrl: url, assetProxyWhitelist: directDomains }) =>
    assetProxyEnabled && url ? loadImageProxy(ctx, url, directDomains) : undefined,
  )

const loadImageProxy = async (ctx: Context, url: string, directDomains: readonly string[]): Promise<ImageProxy> => {
  const secret = (await readSecretSetting(ctx, 'assetProxySecretKey')) ?? ''
  const { siteUrl } = ctx.call
  const id = hash('sha256', JSON.stringify([url, secret, directDomains, siteUrl ?? null]), 'hex')
  return { id, url, secret, directDomains, siteUrl }
}

/** For the descriptions of one call, which share a budget. */
export const getLineOptions = (ctx: Context): MaybePromise<LineOptions> =>
  chain(getImageProxy(ctx), (imageProxy) => ({ budget: createLineBudget(), ...(imageProxy && { imageProxy }) }))
