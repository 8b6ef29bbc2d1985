import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge, Seed } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import { client } from '../contract/client.ts'
import { varyLists } from '../contract/varied-lists.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { createValidRequests, toLine } from '../http/valid-requests.ts'
import { world } from '../sqlite-world.ts'
import { signIn, type VisitedPage, visitor } from './page-client.ts'

let forge: FakeForge | undefined
beforeEach(() => {
  forge = undefined
})
afterEach(() => forge?.close())

interface Link {
  readonly route: string
  readonly field: string
  readonly path: string
  /** Text that the title of the page contains, if the object has a name. */
  readonly name: string | undefined
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The name of an object in the title of its page. */
const getName = (object: Readonly<Record<string, unknown>>): string | undefined => {
  const names = [object.title, object.name, object.username].filter((name) => typeof name === 'string')
  return names[0] as string | undefined
}

/** Values that are paths of the site without its URL. */
const pathFields = new Set(['commit_path', 'tag_path', 'web_path'])

const collectLinks = (value: unknown, siteUrl: string, route: string): readonly Link[] => {
  if (Array.isArray(value)) return value.flatMap((item) => collectLinks(item, siteUrl, route))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([field, content]) => {
    const isLink = typeof content === 'string' && (content.startsWith(`${siteUrl}/`) || pathFields.has(field))
    if (!isLink) return collectLinks(content, siteUrl, route)
    const name = field === 'web_url' ? getName(value) : undefined
    return [{ route, field, path: content.replace(siteUrl, ''), name }]
  })
}

/** The links in the responses of all routes that read. */
const readLinks = async (of: FakeForge, ids: Readonly<Record<string, string | number>>): Promise<readonly Link[]> => {
  const requests = createValidRequests(of, ids)
  const links: Link[] = []
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const values = { path: requests.getPath(route), parameters: {} }
    const response = await requests.send(route, values, { 'private-token': of.token('root') })
    const isJson = response.headers.get('content-type')?.includes('json')
    const text = await response.text()
    if (response.status === 200 && isJson) links.push(...collectLinks(JSON.parse(text), of.url, toLine(route)))
  }
  return [...new Map(links.map((link) => [link.path, link])).values()]
}

/** Addresses that a GET request cannot show, with the reason. */
const unread: Readonly<Record<string, string>> = {
  web_edit_url: 'the specification names a page of administrators that does not exist',
  repair: 'an address for POST',
  location: 'SCIM has tokens of its own: test/contract/scim.test.ts',
}

const checkPage = ({ field, path, name }: Link, { status, title, text, headers }: VisitedPage): string | undefined => {
  if (status === 302 && field === 'tag_path') return undefined
  // A site has its address before a job publishes it.
  if (status === 404 && path.startsWith('/-/pages/')) return undefined
  if (status !== 200) return `is ${status}`
  if (!headers.get('content-type')?.startsWith('text/html')) return text === '' ? 'is empty' : undefined
  if (title === undefined) return path.startsWith('/oauth/') ? undefined : 'has no title'
  return name === undefined || title.includes(name) ? undefined : `has the title ${title} instead of ${name}`
}

/** Reads addresses of the API, of repositories and of pages as their programs do. Returns what is wrong with one. */
const createCheck = async (of: FakeForge) => {
  const visit = visitor(of, await signIn(of, 'root'))
  const readStatus = async (path: string, headers: Readonly<Record<string, string>>) => {
    const { status } = await of.fetch(path, { headers, redirect: 'manual' })
    return status === 200 ? undefined : `is ${status}`
  }
  return (link: Link): Promise<string | undefined> | string | undefined => {
    const { path, field } = link
    if (field in unread) return undefined
    if (path.startsWith('/api/')) return readStatus(path, { 'private-token': of.token('root') })
    const authorization = `Basic ${btoa(`root:${of.token('root')}`)}`
    if (path.endsWith('.git')) return readStatus(`${path}/info/refs?service=git-upload-pack`, { authorization })
    return visit(path).then((page) => checkPage(link, page))
  }
}

const worlds: Readonly<Record<string, Seed>> = { 'demo world': demoWithCode, 'full seed': fullSeed }

describe.each(Object.entries(worlds))('in the %s', (_, seed) => {
  test('every URL of the site in a response answers, and pages have the title of their object', {
    timeout: 120_000,
  }, async () => {
    forge = await world({ seed })
    let ids: Readonly<Record<string, string | number>> = {}
    if (seed === fullSeed) {
      const all = await readAllIds(forge)
      ids = { ...all, ...(await varyLists(forge, client(forge), all)) }
    }
    const links = await readLinks(forge, ids)
    expect(links.length).toBeGreaterThan(seed === fullSeed ? 150 : 40)
    const check = await createCheck(forge)
    const faults: string[] = []
    for (const link of links) {
      const fault = await check(link)
      if (fault !== undefined) faults.push(`${link.route}: ${link.field} ${link.path} ${fault}`)
    }
    expect(faults).toEqual([])
  })
})

/** The addresses of the links of a page to others of this site, without fragments. */
const readSiteLinks = (text: string): readonly string[] =>
  [...text.matchAll(/<a\b[^>]*? href="(?<href>\/[^"#]*)/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))

/** Addresses that are not pages of the forge, and the commit of the records of the seed, which no repository contains. */
const isForeign = (path: string) => /^\/(-\/reference|api\/)|\/-\/commit\/a{40}$/.test(path)

/** Follows all links from the first page. Returns the statuses by address, and the page that has the link. */
const crawl = async (visit: (path: string) => Promise<VisitedPage>) => {
  const found = new Map<string, { readonly status: number; readonly from: string }>()
  const waiting = [{ path: '/', from: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, from } = next
    if (found.has(path) || isForeign(path)) continue
    const { status, text, headers } = await visit(path)
    found.set(path, { status, from })
    const location = headers.get('location')
    const links = headers.get('content-type')?.includes('text/html') ? readSiteLinks(text) : []
    for (const link of location === null ? links : [location]) waiting.push({ path: link, from: path })
  }
  return found
}

const findBrokenLinks = (found: Awaited<ReturnType<typeof crawl>>): readonly string[] =>
  [...found]
    .filter(([, { status }]) => status !== 200 && status !== 302)
    .map(([path, { status, from }]) => `${path} is ${status}, linked from ${from}`)

test('links lead from the first page to all pages, and none is broken', { timeout: 240_000 }, async () => {
  forge = await world({ seed: fullSeed })
  const links = await readLinks(forge, await readAllIds(forge))
  const asRoot = await crawl(visitor(forge, await signIn(forge, 'root')))
  expect(findBrokenLinks(asRoot)).toEqual([])
  const paths = new Set([...asRoot.keys()].map((path) => decodeURIComponent(path)))
  // Tags, raw files and lists of releases have other addresses in links; a user without any activity is found by a search only.
  const others = /^\/(api|oauth|-)\/|\.git$|\/-\/tags\/|\/uploads\/|\/raw\/|\/edit$|release_tag=|^\/mallory$/
  const pages = links.filter(({ field, path }) => unread[field] === undefined && !others.test(path))
  const unreached = pages.filter(({ path }) => !paths.has(decodeURIComponent(path.split('#')[0] ?? '')))
  expect(unreached.map(({ field, path }) => `${field} ${path}`)).toEqual([])
  for (const user of ['alice', 'mallory'])
    expect(findBrokenLinks(await crawl(visitor(forge, await signIn(forge, user)))), user).toEqual([])
  // Pages of users require a sign-in, which they offer.
  const asVisitor = findBrokenLinks(await crawl(visitor(forge)))
  expect(asVisitor.filter((link) => !/^\/\w+ is 404/.test(link))).toEqual([])
})
