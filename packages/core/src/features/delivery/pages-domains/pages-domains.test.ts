import { X509Certificate } from 'node:crypto'
import { type CertificateIssuer, createPlatform, type Store } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import type { FakeForge, FakeForgeOptions } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type CertificateWithKey,
  certificateFactory,
  hasOpenssl,
} from '../../../../../../test/support/openssl-certificates.ts'
import { emptyStore, world } from '../../../../../../test/world.ts'

const project = 'acme/web'
const hour = 3_600_000
const day = 24 * hour
/** Noon of tomorrow, when certificates that openssl creates today are valid. */
const start = Math.floor(Date.now() / day) * day + 1.5 * day

let forge: FakeForge
/** DNS text records by name; lookups fail while it is undefined. */
let records: Map<string, readonly string[]> | undefined
let time: number

const open = async (ports: Partial<NonNullable<FakeForgeOptions['ports']>> = {}) => {
  await forge?.close()
  forge = await world({
    ports: {
      clock: { now: () => time },
      dns: {
        addresses: async () => [],
        async textRecords(name) {
          if (records === undefined) throw new Error('no name server answers')
          return records.get(name) ?? []
        },
      },
      ...ports,
    },
  })
}

beforeEach(async () => {
  time = start
  records = new Map()
  await open()
})
afterEach(() => forge.close())

const pages = () => forge.as('alice').pagesDomains
const drain = () => forge.platform.jobs.drain()

const publishRecord = ({ domain, verificationCode }: { domain: string; verificationCode: string }) =>
  records?.set(`_gitlab-pages-verification-code.${domain}`, [`gitlab-pages-verification-code=${verificationCode}`])

describe('a domain', () => {
  test('is created without certificate and unverified', async () => {
    const created = await pages().create({ project, domain: 'www.Example.com' })
    expect(created).toEqual({
      domain: 'www.Example.com',
      projectId: expect.any(Number),
      url: 'http://www.Example.com',
      autoSslEnabled: false,
      verified: false,
      verificationCode: expect.stringMatching(/^[0-9a-f]{32}$/),
      enabledUntil: null,
    })
    expect(await pages().get({ project, domain: 'WWW.example.COM' })).toEqual(created)
    await pages().remove({ project, domain: 'www.EXAMPLE.com' })
    const missing = { code: 'not_found', kind: 'PagesDomain' }
    await expect(pages().get({ project, domain: 'www.example.com' })).rejects.toMatchObject(missing)
    await expect(pages().remove({ project, domain: 'www.example.com' })).rejects.toMatchObject(missing)
    await expect(pages().update({ project, domain: 'www.example.com' })).rejects.toMatchObject(missing)
  })

  test('is unique across projects, ignoring case, and the error does not name the project', async () => {
    await pages().create({ project, domain: 'www.example.com' })
    const again = forge.host.pagesDomains.create({ project: 'bob/notes', domain: 'WWW.example.com' })
    const error = await again.catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'invalid',
      problems: [{ fields: ['domain'], message: 'has already been taken' }],
    })
    expect((error as Error).message).not.toMatch(/acme|web/)
    await expect(forge.host.pagesDomains.get({ project: 'bob/notes', domain: 'www.example.com' })).rejects.toThrow()
  })

  test.each([
    ['', "can't be blank"],
    ['*.example.com', 'must not contain a wildcard'],
    ['a/b', 'is not a valid host name'],
    ['pages.test', '*.pages.test is restricted'],
    ['me.Pages.test', '*.pages.test is restricted'],
  ])('is not %j', async (domain, message) => {
    await open({ pages: { enabled: true, host: 'pages.test' } })
    await expect(pages().create({ project, domain })).rejects.toMatchObject({
      problems: [{ fields: ['domain'], message }],
    })
  })

  test('is listed by name in its project and by id for administrators', async () => {
    for (const domain of ['c.example.com', 'a.example.com']) await pages().create({ project, domain })
    await forge.host.pagesDomains.create({ project: 'bob/notes', domain: 'b.example.com' })
    const names = ({ items }: { items: readonly { domain: string }[] }) => items.map(({ domain }) => domain)
    expect(names(await pages().list({ project }))).toEqual(['a.example.com', 'c.example.com'])
    expect(names(await forge.as('root').pagesDomains.list({}))).toEqual([
      'c.example.com',
      'a.example.com',
      'b.example.com',
    ])
    await expect(forge.as('alice').pagesDomains.list({})).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('is removed with its project', async () => {
    await pages().create({ project, domain: 'www.example.com' })
    await forge.host.projects.remove({ project })
    expect((await forge.host.pagesDomains.list({})).items).toEqual([])
    await drain()
    await expect(
      forge.host.pagesDomains.create({ project: 'bob/notes', domain: 'www.example.com' }),
    ).resolves.toBeDefined()
  })
})

describe('disabled pages', () => {
  test('of the platform: every operation reports not_found', async () => {
    await open({ pages: { enabled: false } })
    const missing = { code: 'not_found', kind: undefined }
    await expect(forge.host.pagesDomains.list({})).rejects.toMatchObject(missing)
    await expect(pages().list({ project })).rejects.toMatchObject(missing)
    await expect(pages().create({ project, domain: 'www.example.com' })).rejects.toMatchObject(missing)
    await expect(forge.as('bob').pagesDomains.list({ project })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('of a project do not affect other projects', async () => {
    await pages().create({ project, domain: 'www.example.com' })
    await forge.host.projects.update({ project, settings: { pagesAccessLevel: 'disabled' } })
    await expect(pages().get({ project, domain: 'www.example.com' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(forge.host.pagesDomains.list({ project: 'bob/notes' })).resolves.toMatchObject({ items: [] })
  })
})

describe('verification', () => {
  const verified = async () => {
    const { verified, enabledUntil } = await pages().get({ project, domain: 'www.example.com' })
    return [verified, enabledUntil]
  }
  const at = (milliseconds: number) => new Date(milliseconds).toISOString()

  test('is retried hourly for three days, then daily', async () => {
    const created = await pages().create({ project, domain: 'www.example.com' })
    await drain()
    expect(await verified()).toEqual([false, null])
    expect(await drain()).toBe(0)
    publishRecord(created)
    expect(await drain()).toBe(0)
    time += hour
    await drain()
    expect(await verified()).toEqual([true, at(time + 7 * day)])
  })

  test('accepts a record of the domain itself among others', async () => {
    const { verificationCode } = await pages().create({ project, domain: 'www.example.com' })
    records?.set('www.example.com', ['v=spf1 -all', `gitlab-pages-verification-code=${verificationCode}`])
    await drain()
    expect((await verified())[0]).toBe(true)
  })

  test('rejects the code of another domain', async () => {
    const other = await pages().create({ project, domain: 'other.example.com' })
    await pages().create({ project, domain: 'www.example.com' })
    records?.set('www.example.com', [`gitlab-pages-verification-code=${other.verificationCode}`])
    await drain()
    expect((await verified())[0]).toBe(false)
  })

  test('runs on request', async () => {
    const created = await pages().create({ project, domain: 'www.example.com' })
    await drain()
    publishRecord(created)
    await pages().verify({ project, domain: 'www.example.com' })
    await drain()
    expect((await verified())[0]).toBe(true)
  })

  test('ends when the record is removed and keeps the end of its period', async () => {
    const created = await pages().create({ project, domain: 'www.example.com' })
    publishRecord(created)
    await drain()
    const until = at(time + 7 * day)
    records?.clear()
    time += day
    await drain()
    expect(await verified()).toEqual([false, until])
  })

  test('is kept while no name server answers', async () => {
    const created = await pages().create({ project, domain: 'www.example.com' })
    publishRecord(created)
    await drain()
    const published = records
    records = undefined
    time += day
    await drain()
    expect(await verified()).toEqual([true, at(start + 7 * day)])
    records = published
    time += hour
    await drain()
    expect(await verified()).toEqual([true, at(time + 7 * day)])
  })
})

describe.skipIf(!hasOpenssl)('certificates', () => {
  const factory = certificateFactory()
  afterAll(factory.remove)
  const authority = (subject: string, issuer?: CertificateWithKey) =>
    factory.create({ subject, extensions: 'basicConstraints=critical,CA:TRUE', ...(issuer && { issuer }) })
  const root = authority('/CN=Root')
  const middle = authority('/CN=Middle', root)
  const leaf = factory.create({ subject: '/C=DE/CN=www.example.com', issuer: middle })
  const own = factory.create({ subject: '/CN=own.example.com' })
  const chain = leaf.certificate + middle.certificate
  const domain = 'www.example.com'
  const none: CertificateIssuer = { roots: [root.certificate], issue: async () => undefined }

  beforeEach(() => open({ certificates: none }))

  test('are returned with details, without the key', async () => {
    const created = await pages().create({ project, domain, certificate: chain, key: leaf.key })
    expect(created).toMatchObject({
      url: 'https://www.example.com',
      certificate: { subject: '/C=DE/CN=www.example.com', certificate: chain, expired: false },
    })
    const all = [
      created,
      await pages().get({ project, domain }),
      await pages().list({ project }),
      await forge.host.pagesDomains.list({}),
      await pages().update({ project, domain, autoSslEnabled: true }),
    ]
    const secret = leaf.key.split('\n')[1] as string
    expect(JSON.stringify(all)).not.toContain(secret)
    expect(JSON.stringify(all)).not.toContain('PRIVATE KEY')
  })

  test('have their expiration in the list of all domains', async () => {
    const { certificate, key } = factory.create({ validity: ['20200101000000Z', '20210101000000Z'] })
    await pages().create({ project, domain, certificate, key })
    await pages().create({ project, domain: 'new.example.com', certificate: own.certificate, key: own.key })
    await pages().create({ project, domain: 'plain.example.com' })
    const { items } = await forge.host.pagesDomains.list({})
    expect(items.map(({ certificateExpiration }) => certificateExpiration)).toEqual([
      { expired: true, expiration: '2021-01-01T00:00:00.000Z' },
      { expired: false, expiration: new X509Certificate(own.certificate).validToDate.toISOString() },
      undefined,
    ])
  })

  test('the key is stored encrypted and removed with its certificate', async () => {
    const store: Store = await emptyStore()
    const platform = createPlatform(store, { secretKey: new Uint8Array(32).fill(7), ports: { certificates: none } })
    await seed(platform, demo)
    const { pagesDomains } = platform.as({ user: 'alice' })
    const row = async () => (await store.read(({ db }) => db.selectFrom('pagesDomain').selectAll().execute()))[0]
    await pagesDomains.create({ project, domain, certificate: chain, key: leaf.key })
    const stored = await row()
    expect(JSON.stringify(stored)).not.toContain('PRIVATE')
    const { secrets } = platform.ports
    expect(secrets.open(stored?.sealedKey as string, `pages_domain.${stored?.id}.key`)).toBe(leaf.key)
    await pagesDomains.update({ project, domain, certificate: '', key: '' })
    expect(await row()).toMatchObject({ certificate: null, sealedKey: null, certificateEndsAt: null })
    await platform.close()
  })

  test.each([
    ['a chain that does not reach an authority', leaf.certificate, leaf.key, 'certificate', 'misses intermediates'],
    ['no certificate', 'hello', leaf.key, 'certificate', 'must be a valid PEM certificate'],
    ['no key', own.certificate, 'hello', 'key', 'must be a valid PEM private key'],
    ['the key of another one', own.certificate, leaf.key, 'key', "doesn't match the certificate"],
  ])('%s is rejected', async (_name, certificate, key, field, message) => {
    const problem = expect.objectContaining({ problems: expect.arrayContaining([{ fields: [field], message }]) })
    await expect(pages().create({ project, domain, certificate, key })).rejects.toEqual(problem)
    await expect(pages().get({ project, domain })).rejects.toMatchObject({ code: 'not_found' })
    await pages().create({ project, domain })
    await expect(pages().update({ project, domain, certificate, key })).rejects.toEqual(problem)
  })

  test('all problems are reported at once', async () => {
    await expect(pages().create({ project, domain: 'a b', certificate: 'hello', key: 'hello' })).rejects.toMatchObject({
      problems: [
        { fields: ['domain'] },
        { fields: ['certificate'] },
        { fields: ['key'], message: 'must be a valid PEM private key' },
        { fields: ['key'], message: "doesn't match the certificate" },
      ],
    })
  })

  test('creation rejects a certificate without key and a key without certificate', async () => {
    const problem = {
      code: 'invalid_input',
      problems: [{ fields: ['certificate', 'key'], message: 'provide all or none of parameters' }],
    }
    await expect(pages().create({ project, domain, certificate: chain })).rejects.toMatchObject(problem)
    await expect(pages().create({ project, domain, key: leaf.key })).rejects.toMatchObject(problem)
  })

  test('are replaced with the stored key or another one, and removed', async () => {
    await pages().create({ project, domain, certificate: chain, key: leaf.key })
    const all = `${chain}${root.certificate}`
    expect(await pages().update({ project, domain, certificate: all })).toMatchObject({
      certificate: { certificate: all },
    })
    await expect(pages().update({ project, domain, certificate: own.certificate })).rejects.toMatchObject({
      problems: [{ fields: ['key'], message: "doesn't match the certificate" }],
    })
    expect(await pages().update({ project, domain, certificate: own.certificate, key: own.key })).toMatchObject({
      certificate: { subject: '/CN=own.example.com' },
    })
    await expect(pages().update({ project, domain, certificate: '' })).rejects.toMatchObject({ code: 'invalid' })
    const bare = await pages().update({ project, domain, certificate: '', key: '' })
    expect(bare).not.toHaveProperty('certificate')
    expect(bare.url).toBe('http://www.example.com')
  })

  describe('issued automatically', () => {
    let issued: string[]
    let next: CertificateWithKey | undefined
    const issuing: CertificateIssuer = {
      roots: [root.certificate],
      async issue(name) {
        issued.push(name)
        if (next === undefined) throw new Error('the authority is not available')
        return next
      },
    }
    beforeEach(async () => {
      issued = []
      next = { certificate: chain, key: leaf.key }
      await open({ certificates: issuing })
    })
    const certificate = async () => (await pages().get({ project, domain })).certificate?.subject

    test('are requested after the first verification', async () => {
      const created = await pages().create({ project, domain, autoSslEnabled: true })
      await drain()
      expect(issued).toEqual([])
      publishRecord(created)
      time += hour
      await drain()
      expect(issued).toEqual([domain])
      expect(await certificate()).toBe('/C=DE/CN=www.example.com')
      await drain()
      expect(issued).toHaveLength(1)
    })

    test('are requested when enabled and do not replace uploaded ones', async () => {
      publishRecord(await pages().create({ project, domain }))
      publishRecord(
        await pages().create({ project, domain: 'own.example.com', certificate: own.certificate, key: own.key }),
      )
      await drain()
      await pages().update({ project, domain, autoSslEnabled: true })
      await pages().update({ project, domain: 'own.example.com', autoSslEnabled: true })
      await drain()
      expect(issued).toEqual([domain])
    })

    test('are renewed a month before they end', async () => {
      publishRecord(await pages().create({ project, domain, autoSslEnabled: true }))
      await drain()
      const end = Date.parse(new X509Certificate(leaf.certificate).validTo)
      time = end - 31 * day
      await drain()
      expect(issued).toHaveLength(1)
      time = end - 29 * day
      await drain()
      // The test issuer always returns the same certificate, so the verification, which runs concurrently, can request it again.
      expect(issued.length).toBeGreaterThanOrEqual(2)
    })

    test('are not stored if invalid, and requested again', async () => {
      next = { certificate: leaf.certificate, key: leaf.key }
      publishRecord(await pages().create({ project, domain, autoSslEnabled: true }))
      await drain()
      expect(await certificate()).toBeUndefined()
      next = undefined
      time += hour
      await drain()
      next = { certificate: chain, key: leaf.key }
      time += hour
      await drain()
      expect(issued.length).toBeGreaterThanOrEqual(3)
      expect(await certificate()).toBe('/C=DE/CN=www.example.com')
    })
  })
})
