import { createHmac } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'
import { imagesThrough } from './image-proxy.ts'

const proxied = (address: string) =>
  `https://camo.example/${createHmac('sha1', 'hush').update(address).digest('hex')}/${Buffer.from(address).toString('hex')}`

describe('an image', () => {
  const images = imagesThrough({
    url: 'https://camo.example/',
    secret: 'hush',
    direct: ['cdn.example', '*.trusted.example'],
    siteUrl: 'https://forge.example',
  })

  test.each(['http://other.example/a.png', 'https://other.example/a.png?b=c', 'https://cdn.example.evil/a.png'])(
    '%s passes the proxy',
    (address) => expect(images.address(address)).toBe(proxied(address)),
  )

  test('without a scheme passes it too', () => {
    expect(images.address('//other.example/a.png')).toBe(proxied('https://other.example/a.png'))
  })

  test.each([
    'a.png',
    '/uploads/a.png',
    'https://forge.example/a.png',
    'https://CDN.example/a.png',
    'https://a.trusted.example/a.png',
    'https://camo.example/x/y',
  ])('%s does not', (address) => expect(images.address(address)).toBe(address))

  test('passes it without a site, too, unless it is relative', () => {
    const homeless = imagesThrough({ url: 'https://camo.example', secret: 'hush', direct: [], siteUrl: undefined })
    expect(homeless.address('//other.example/a.png')).toBe(proxied('http://other.example/a.png'))
    expect(homeless.address('../a.png')).toBe('../a.png')
  })
})

describe('Markdown', () => {
  let forge: FakeForge
  beforeEach(async () => {
    forge = await world()
  })
  afterEach(() => forge.close())

  const address = 'https://other.example/a.png'
  const enable = () =>
    forge.host.settings.update({
      assetProxyEnabled: true,
      assetProxyUrl: 'https://camo.example',
      assetProxySecretKey: 'hush',
    })
  const htmlOf = async (text: string, gfm: boolean) => (await forge.as('alice').markdown.render({ text, gfm })).html

  test.each([false, true])('shows images through the proxy while it is on (gfm: %j)', async (gfm) => {
    const text = `![a](${address}) <img src="${address}"> [link](${address})`
    expect(await htmlOf(text, gfm)).not.toContain('camo')
    await enable()
    const html = await htmlOf(text, gfm)
    expect(html.split(`src="${proxied(address)}"`)).toHaveLength(3)
    expect(html).toContain(`href="${address}"`)
    await forge.host.settings.update({ assetProxyEnabled: false })
    expect(await htmlOf(text, gfm)).not.toContain('camo')
  })

  test('of a label does so too, however often it was rendered before', async () => {
    await forge.as('alice').labels.create({
      project: 'acme/web',
      name: 'pictured',
      color: '#000000',
      description: `![a](${address})`,
    })
    const shown = async () =>
      (await forge.as('alice').labels.get({ project: 'acme/web', label: 'pictured' })).descriptionHtml
    expect(await shown()).toContain(`src="${address}"`)
    await enable()
    expect(await shown()).toContain(`src="${proxied(address)}"`)
  })
})
