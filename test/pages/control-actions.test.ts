import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserPath, desktop, findAccessibilityFaults, type Visit, visit } from './browser.ts'

const labels = '/api/v4/projects/acme%2Fweb/labels'

/** Browsers are slow on a busy machine. */
const pollOptions = { timeout: 15_000 }

let forge: FakeForge
beforeAll(async () => {
  forge = await fakeForge({ port: 0, time: '2026-03-10T12:00:00Z' })
})
beforeEach(() => forge.reset())
afterAll(() => forge.close())

const send = (user: string | undefined, line: string, json?: unknown) => {
  const [method = 'GET', path] = line.split(' ')
  return fetch(`${forge.url}${path}`, {
    method,
    headers: {
      ...(user !== undefined && { 'PRIVATE-TOKEN': forge.token(user) }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
}

const visitControlPage = (work: (visit: Visit) => Promise<void>) =>
  visit(`${forge.url}/_forgelet`, desktop, async (visited) => {
    await visited.page.locator('#connection[data-state=live]').waitFor()
    await work(visited)
  })

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const expectMessage = (page: Page, message: string) =>
  expect.poll(() => page.locator('#message').textContent(), pollOptions).toBe(message)

describe.skipIf(browserPath === undefined)('the control page', { timeout: 120_000 }, () => {
  it('shows the requests of webhooks with their responses', async () => {
    const project = 'acme/web'
    const url = 'https://bot.example.com/events'
    await forge.as('alice').hooks.create({ project, url, issuesEvents: true })
    await forge.as('bob').issues.create({ project, title: '<b>Broken</b>' })
    await forge.hooks.drain()
    await visitControlPage(async ({ page, consoleErrors }) => {
      const section = page.locator('section', { has: page.locator('#deliveries-title') })
      expect(await section.textContent()).toContain(`issue_hooks200Details2026-03-10 12:00:00 to ${url}`)
      const button = section.getByRole('button', { name: /^Details of issue_hooks/ })
      await button.click()
      await section.locator('pre').nth(1).waitFor()
      expect(await section.locator('pre').first().textContent()).toContain('"title": "<b>Broken</b>"')
      expect(await button.getAttribute('aria-expanded')).toBe('true')
      expect(await findAccessibilityFaults(page)).toEqual([])
      await button.click()
      await expect.poll(() => section.locator('pre').count(), pollOptions).toBe(0)
      expect(consoleErrors).toEqual([])
    })
  })

  it('expands a request: caller, reason of a refusal, parameters, bodies, headers and a command', async () => {
    await send('dave', `POST ${labels}?priority=1`, { name: "it's", color: 'teal', password: 'hush-hush' })
    await visitControlPage(async ({ page, consoleErrors }) => {
      await page.locator('.toggle').click()
      const details = page.locator('tr.details')
      await details.locator('pre').first().waitFor()
      const text = await details.textContent()
      for (const part of [
        'Callerdave',
        'RefusedOnly for reporters and above',
        'id (path)acme/web',
        'priority (query)1',
        'color (body)teal',
        'password (body)[redacted]',
        '"message": "403 Forbidden"',
        'TOKEN is a token of dave.',
      ]) {
        expect(text).toContain(part)
      }
      await details.getByText('Request headers').click()
      expect(await details.textContent()).toContain('content-typeapplication/json')
      expect(await details.innerHTML()).not.toMatch(/hush-hush|dave-token/)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await press(page, 'Copy the command')
      await expectMessage(page, 'Copied the command')
      expect((await page.evaluate(() => navigator.clipboard.readText())).split(' \\\n  ')).toEqual([
        'curl',
        '--header "private-token: $TOKEN"',
        `--header 'content-type: application/json'`,
        `--data-raw '{"name":"it'\\''s","color":"teal","password":"[redacted]"}'`,
        `'${forge.url}${labels}?priority=1'`,
      ])
      await page.locator('.toggle').click()
      expect(await details.isVisible()).toBe(false)
      expect(consoleErrors).toEqual([])
    })
  })

  it('is operated with the keyboard: arrow keys move between requests, Enter expands one', async () => {
    for (const path of ['/api/v4/version', '/api/v4/user', labels]) await send('alice', `GET ${path}`)
    await visitControlPage(async ({ page }) => {
      await page.locator('.toggle').nth(2).waitFor()
      const focused = () => page.evaluate(() => document.activeElement?.textContent)
      await page.locator('#clear').focus()
      await page.keyboard.press('Tab')
      expect(await focused()).toBe(labels)
      await page.keyboard.press('ArrowDown')
      expect(await focused()).toBe('/api/v4/user')
      await page.keyboard.press('End')
      expect(await focused()).toBe('/api/v4/version')
      await page.keyboard.press('Enter')
      await page.locator('tr.details:not([hidden]) pre').first().waitFor()
      expect(await page.locator('.toggle[aria-expanded=true]').textContent()).toBe('/api/v4/version')
      await page.keyboard.press('Home')
      await page.keyboard.press('Shift+Tab')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('clear')
    })
  })

  it('shows text of requests as text', async () => {
    const markup = '<img src=x onerror="document.title = 1"><script>document.title = 1</script>'
    const name = encodeURIComponent(markup)
    await send('alice', `POST ${labels}?color=red&description=${name}`, { name: markup })
    await fetch(`${forge.url}/api/v4/${name}?${name}=${name}`, { headers: { 'X-Test': markup } })
    await forge.seed({ users: [{ username: 'kim', name: markup }], projects: [{ path: 'kim/app' }] })
    const control = (path: string, body: object) =>
      fetch(`${forge.url}/_forgelet${path}`, { method: 'POST', body: JSON.stringify(body) })
    await control('/snapshots', { name: markup })
    await control('/faults', { on: `/projects/${markup.replaceAll(' ', '_')}`, delay: 1 })
    await visitControlPage(async ({ page, externalRequests, consoleErrors }) => {
      for (const toggle of await page.locator('.toggle').all()) await toggle.click()
      await page.locator('tr.details pre').nth(3).waitFor()
      await page.getByRole('button', { name: `Delete the snapshot ${markup}` }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(await page.locator('main img, main script').count()).toBe(0)
      expect(await page.title()).toBe('Forgelet control page')
      expect([externalRequests, consoleErrors]).toEqual([[], []])
    })
  })

  it('adds, lists and ends faults', async () => {
    await visitControlPage(async ({ page, consoleErrors }) => {
      await page.getByLabel('Affected requests').fill('GET /projects/:id/labels')
      await page.getByLabel('Effect').selectOption('rateLimit')
      await page.getByLabel('Retry after, seconds').fill('7')
      await page.getByLabel('Times').fill('2')
      await press(page, 'Add fault')
      await page.locator('#faults li').waitFor()
      const [fault] = forge.faults.all
      expect(fault?.fault).toMatchObject({ on: 'GET /projects/:id/labels', rateLimit: { retryAfter: 7 }, times: 2 })
      const response = await send('alice', `GET ${labels}`)
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
      await expect
        .poll(() => page.locator('#faults li').textContent(), pollOptions)
        .toContain(`Fault ${fault?.id}: rate limit; at most 2 times1 of 1 request hit`)
      await page.getByLabel('Affected requests').fill('')
      await page.getByLabel('Effect').selectOption('connection')
      expect(await page.locator('#fault-number').isVisible()).toBe(false)
      await press(page, 'Add fault')
      await page.locator('#faults li').nth(1).waitFor()
      expect(forge.faults.all[1]?.fault).toMatchObject({ cut: 'connection', times: 2 })
      await press(page, `End fault ${fault?.id}`)
      await expect.poll(() => forge.faults.all.length, pollOptions).toBe(1)
      await page.getByLabel('Effect').selectOption('delay')
      await press(page, 'Add fault')
      await press(page, 'End all')
      await page.locator('#no-faults').waitFor()
      expect(forge.faults.all).toEqual([])
      expect(consoleErrors).toEqual([])
    })
  })

  it('explains an invalid fault next to the form', async () => {
    await visitControlPage(async ({ page }) => {
      await page.getByLabel('Affected requests').fill('GET /projects/:id/label')
      await press(page, 'Add fault')
      const alert = page.getByRole('alert')
      await expect.poll(() => alert.textContent(), pollOptions).toContain('matches no route. Did you mean')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('fault-on')
    })
  })

  it('takes, restores and deletes snapshots, and resets the world', async () => {
    const exists = async () => (await send('alice', `GET ${labels}/idea`)).status === 200
    await visitControlPage(async ({ page, consoleErrors }) => {
      await page.getByLabel('Name of the snapshot').fill('empty')
      await press(page, 'Take snapshot')
      await page.getByRole('button', { name: 'Restore the snapshot empty' }).waitFor()
      expect(await page.locator('#message').textContent()).toMatch(/^Took the snapshot empty, [\d,]+ KiB$/)
      await send('alice', `POST ${labels}?name=idea&color=teal`)
      await page.getByLabel('Name of the snapshot').fill('with idea')
      await press(page, 'Take snapshot')
      await press(page, 'Restore the snapshot empty')
      const dialog = page.getByRole('dialog')
      expect(await findAccessibilityFaults(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(await exists()).toBe(true)
      await press(page, 'Restore the snapshot empty')
      await dialog.getByRole('button', { name: 'Restore' }).click()
      await expectMessage(page, 'Restored the snapshot empty')
      expect(await exists()).toBe(false)
      await press(page, 'Restore the snapshot with idea')
      await dialog.getByRole('button', { name: 'Restore' }).click()
      await expectMessage(page, 'Restored the snapshot with idea')
      expect(await exists()).toBe(true)
      await press(page, 'Delete the snapshot with idea')
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await expectMessage(page, 'Deleted the snapshot with idea')
      await press(page, 'Reset the world')
      await dialog.getByRole('button', { name: 'Reset' }).click()
      await expectMessage(page, 'The world was reset')
      await page.locator('#nothing').waitFor()
      expect(await exists()).toBe(false)
      expect(consoleErrors).toEqual([])
    })
  })

  it('links to the API reference and back', async () => {
    await visitControlPage(async ({ page }) => {
      await page.getByRole('link', { name: 'API reference' }).click()
      await page.waitForURL(`${forge.url}/-/reference`, { waitUntil: 'commit' })
      await page.getByRole('link', { name: 'Control page' }).click()
      await page.locator('#connection[data-state=live]').waitFor()
    })
    await using plain = await fakeForge({ port: 0, http: { reference: false } })
    await visit(`${plain.url}/_forgelet`, desktop, async ({ page }) => {
      await page.locator('#connection[data-state=live]').waitFor()
      expect(await page.getByRole('link', { name: 'API reference' }).count()).toBe(0)
    })
    await using uncontrolled = await fakeForge({ port: 0, control: false })
    await visit(`${uncontrolled.url}/-/reference`, desktop, async ({ page }) => {
      await page.getByRole('heading', { name: 'Forgelet', exact: true }).waitFor()
      expect(await page.getByRole('link', { name: 'Control page' }).count()).toBe(0)
    })
  })
})
