import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge, Seed } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { world } from '../sqlite-world.ts'
import { signIn, type VisitedPage, visitor } from './page-client.ts'

let forge: FakeForge | undefined
beforeEach(() => {
  forge = undefined
})
afterEach(() => forge?.close())

/** Values of these fields are pages; those of `avatar_url` and `self` are not. */
const pageFields = new Set(['web_url', 'readme_url', 'target_url', 'commit_path', 'tag_path', 'raw_url'])

interface PageLink {
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

const collectLinks = (value: unknown, siteUrl: string): readonly PageLink[] => {
  if (Array.isArray(value)) return value.flatMap((item) => collectLinks(item, siteUrl))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([field, content]) => {
    if (!pageFields.has(field) || typeof content !== 'string') return collectLinks(content, siteUrl)
    return [{ field, path: content.replace(siteUrl, ''), name: field === 'web_url' ? getName(value) : undefined }]
  })
}

const fillPath = (template: string, ids: Readonly<Record<string, string | number>>): string => {
  const kind = template.split('/')[3]
  return template.replace(/:(\w+)/g, (_, name: string) => {
    const id =
      name === 'id' ? (kind === 'projects' ? 'acme/web' : kind === 'groups' ? 'acme' : ids.own_snippet) : ids[name]
    return encodeURIComponent(String(name === 'note_id' ? ids[`${template.split('/')[5]}_note`] : (id ?? 1)))
  })
}

/** The links in the responses of all routes that read. */
const readLinks = async (
  { url, fetch, tokens }: FakeForge,
  ids: Readonly<Record<string, string | number>>,
): Promise<readonly PageLink[]> => {
  const links: PageLink[] = []
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const response = await fetch(fillPath(route.path, ids), { headers: { 'PRIVATE-TOKEN': tokens.root as string } })
    const isJson = response.headers.get('content-type')?.includes('json')
    const text = await response.text()
    if (response.status === 200 && isJson) links.push(...collectLinks(JSON.parse(text), url))
  }
  return [...new Map(links.map((link) => [link.path, link])).values()]
}

const check = ({ field, path, name }: PageLink, { status, title, text }: VisitedPage): string | undefined => {
  if (status === 302 && field === 'tag_path') return undefined
  if (status !== 200) return `${field} ${path} is ${status}`
  if (field === 'raw_url') return text === '' ? `${path} is empty` : undefined
  if (title === undefined) return `${path} has no title`
  return name === undefined || title.includes(name) ? undefined : `${path} has the title ${title} instead of ${name}`
}

const worlds: Readonly<Record<string, Seed>> = { 'demo world': demoWithCode, 'full seed': fullSeed }

describe.each(Object.entries(worlds))('in the %s', (_, seed) => {
  test('every URL of a page in a response leads to a page with its title', { timeout: 120_000 }, async () => {
    forge = await world({ seed })
    const ids = seed === fullSeed ? await readAllIds(forge) : {}
    const links = await readLinks(forge, ids)
    expect(links.length).toBeGreaterThan(seed === fullSeed ? 25 : 15)
    const visit = visitor(forge, await signIn(forge, 'root'))
    const faults: string[] = []
    for (const link of links) {
      const fault = check(link, await visit(link.path))
      if (fault !== undefined) faults.push(fault)
    }
    expect(faults).toEqual([])
  })
})
