import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'

let forge: FakeForge
let issue: string
const count = 30
const textOf = (index: number) => `comment ${index} start ${'word *word* '.repeat(8_000)} end ${index}`
beforeAll(async () => {
  forge = await world({ port: 0 })
  const project = 'acme/web'
  const { iid } = await forge.as('alice').issues.create({ project, title: 'Long', description: 'Short description' })
  for (let index = 0; index < count; index++) {
    await forge.as('alice').notes.create({ project, issue: iid, body: textOf(index) })
  }
  issue = `${forge.url}/acme/web/-/issues/${iid}`
})
afterAll(() => forge.close())

const show = async (url: string) => {
  const response = await fetch(url, { headers: { Accept: 'text/html' } })
  expect(response.status).toBe(200)
  return response.text()
}

test('a page shows the start of texts for which it has no room, with links to all of them', async () => {
  const page = await show(issue)
  expect(page.length).toBeLessThan(1_000_000)
  expect(page).toContain('Short description')
  for (let index = 0; index < count; index++) expect(page).toContain(`comment ${index} start`)
  expect(page).toContain('end 0')
  expect(page).not.toContain(`end ${count - 1}`)
  const links = [...page.matchAll(/<a href="([^"]+)">Show all of it<\/a>/g)].map(([, href = '']) => href)
  expect(links.length).toBeGreaterThan(count / 2)
  const last = new URL((links.at(-1) as string).replaceAll('&amp;', '&'), issue)
  const single = await show(last.href)
  expect(single).toContain(`end ${count - 1}`)
  expect(single).toContain('comment 0 start')
})

test('requests for pages that wait for each other are all answered', async () => {
  const pages = await Promise.all(Array.from({ length: 20 }, () => show(issue)))
  expect(new Set(pages.map(({ length }) => length)).size).toBe(1)
})
