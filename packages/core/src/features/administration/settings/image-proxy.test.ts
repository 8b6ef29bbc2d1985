import { createHmac } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'
import { createImageRewriter } from '../../../ports/markdown/image-proxy.ts'

const proxied = (url: string) =>
  `https://camo.example/${createHmac('sha1', 'hush').update(url).digest('hex')}/${Buffer.from(url).toString('hex')}`

describe('createImageRewriter', () => {
  const rewrite = createImageRewriter({
    url: 'https://camo.example/',
    secret: 'hush',
    directDomains: ['cdn.example', '*.trusted.example'],
    siteUrl: 'https://forge.example',
  })

  test.each(['http://other.example/a.png', 'https://other.example/a.png?b=c', 'https://cdn.example.evil/a.png'])(
    'rewrites %s',
    (url) => expect(rewrite(url)).toBe(proxied(url)),
  )

  test('rewrites a URL without a scheme', () => {
    expect(rewrite('//other.example/a.png')).toBe(proxied('https://other.example/a.png'))
  })

  test.each([
    'a.png',
    '/uploads/a.png',
    'https://forge.example/a.png',
    'https://CDN.example/a.png',
    'https://a.trusted.example/a.png',
    'https://camo.example/x/y',
  ])('keeps %s', (url) => expect(rewrite(url)).toBe(url))

  test('keeps relative URLs when the site URL is unknown', () => {
    const withoutSite = createImageRewriter({
      url: 'https://camo.example',
      secret: 'hush',
      directDomains: [],
      siteUrl: undefined,
    })
    expect(withoutSite('//other.example/a.png')).toBe(proxied('http://other.example/a.png'))
    expect(withoutSite('../a.png')).toBe('../a.png')
  })
})

describe('rendered Markdown', () => {
  let forge: FakeForge
  beforeEach(async () => {
    forge = await world()
  })
  afterEach(() => forge.close())

  const imageUrl = 'https://other.example/a.png'
  const enable = () =>
    forge.host.settings.update({
      assetProxyEnabled: true,
      assetProxyUrl: 'https://camo.example',
      assetProxySecretKey: 'hush',
    })
  const htmlOf = async (text: string, gfm: boolean) => (await forge.as('alice').markdown.render({ text, gfm })).html

  test.each([false, true])('has proxied image URLs while the proxy is enabled (gfm: %j)', async (gfm) => {
    const text = `![a](${imageUrl}) <img src="${imageUrl}"> [link](${imageUrl})`
    expect(await htmlOf(text, gfm)).not.toContain('camo')
    await enable()
    const html = await htmlOf(text, gfm)
    expect(html.split(`src="${proxied(imageUrl)}"`)).toHaveLength(3)
    expect(html).toContain(`href="${imageUrl}"`)
    await forge.host.settings.update({ assetProxyEnabled: false })
    expect(await htmlOf(text, gfm)).not.toContain('camo')
  })

  test('of a label description is not served from the cache after the change', async () => {
    await forge.as('alice').labels.create({
      project: 'acme/web',
      name: 'pictured',
      color: '#000000',
      description: `![a](${imageUrl})`,
    })
    const descriptionHtml = async () =>
      (await forge.as('alice').labels.get({ project: 'acme/web', label: 'pictured' })).descriptionHtml
    expect(await descriptionHtml()).toContain(`src="${imageUrl}"`)
    await enable()
    expect(await descriptionHtml()).toContain(`src="${proxied(imageUrl)}"`)
  })
})
