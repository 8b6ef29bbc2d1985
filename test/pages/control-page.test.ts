import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  browserPath,
  desktop,
  findAccessibilityFaults,
  horizontalOverflow,
  phone,
  readTabOrder,
  views,
  visit,
} from './browser.ts'

const html = { Accept: 'text/html' }
const time = '2026-03-10T12:00:00Z'

/** Browsers are slow on a busy machine. */
const pollOptions = { timeout: 15_000 }

let forge: FakeForge
let page: string
beforeAll(async () => {
  forge = await fakeForge({ port: 0, time })
  page = `${forge.url}/_forgelet`
})
beforeEach(() => forge.reset())
afterAll(() => forge.close())

const labels = '/api/v4/projects/acme%2Fweb/labels'
const send = (path: string, init: RequestInit = {}) =>
  fetch(`${forge.url}${path}`, { ...init, headers: { 'PRIVATE-TOKEN': forge.tokens.alice as string } })

/** Sends successful and failing requests, and one with an injected fault. */
const sendRequests = async () => {
  const fault = forge.fault({ on: 'GET /version', status: 503, times: 1 })
  for (const path of [labels, `${labels}?page=2&per_page=1&search=bug`, '/api/v4/projects', '/api/v4/user'])
    await send(path)
  await send(`${labels}?name=idea&color=teal`, { method: 'POST' })
  await send(`${labels}/nothing`)
  await send('/api/v4/version')
  return fault
}

describe('the control page', () => {
  it('is HTML for browsers and JSON for other clients', async () => {
    const response = await fetch(page, { headers: html })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(await response.text()).toContain('<title>')
    expect(await (await fetch(page)).json()).toMatchObject({ forgelet: 'control plane' })
    expect((await fetch(`${page}/`, { headers: html })).url).toBe(page)
    expect((await fetch(`${page}/page/page.html`)).status).toBe(404)
  })

  it('is served to this machine only', async () => {
    for (const path of ['', '/page/page.js']) {
      const response = await fetch(`${page}${path}`, { headers: { ...html, 'X-Forwarded-For': '203.0.113.9' } })
      expect(response.status).toBe(403)
    }
  })

  it('logs no error when a page is closed', async () => {
    const lines: object[] = []
    const failures: object[] = []
    const logger = {
      info: (entry: object) => void lines.push(entry),
      error: (entry: object) => void failures.push(entry),
    }
    await using watched = await fakeForge({ port: 0, time, http: { logger } })
    const leaving = new AbortController()
    const stream = await fetch(`${watched.url}/_forgelet/events`, { signal: leaving.signal })
    await stream.body?.getReader().read()
    leaving.abort()
    await expect
      .poll(() => lines, pollOptions)
      .toMatchObject([{ path: '/_forgelet/events', status: 200, aborted: true }])
    expect(failures).toEqual([])
    watched.fault({ on: 'labels.list', cut: 'body', times: 1 })
    await fetch(`${watched.url}${labels}`)
      .then((response) => response.text())
      .catch(() => undefined)
    await expect.poll(() => lines.length, pollOptions).toBe(2)
    expect(failures.length).toBe(1)
  })

  it('lists the projects in its state', async () => {
    const { projects } = (await (await fetch(`${page}/state`)).json()) as { projects: object[] }
    expect(projects).toContainEqual({ id: expect.any(Number), path: 'acme/web', visibility: 'public', archived: false })
  })
})

describe.skipIf(browserPath === undefined)('in a browser', { timeout: 120_000 }, () => {
  it.each(views)('has no layout, accessibility or network faults: $name', async (view) => {
    const fault = await sendRequests()
    await visit(page, view, async ({ page, externalRequests, consoleErrors, screenshot }) => {
      await page.locator('#connection[data-state=live]').waitFor()
      await page.locator('#rows .toggle').nth(6).waitFor()
      // Waits until the highlight of new rows has faded.
      await page.waitForTimeout(1_700)
      await screenshot('control')
      expect(await horizontalOverflow(page)).toBe(0)
      expect(await findAccessibilityFaults(page)).toEqual([])
      const tokenButtons = Object.keys(forge.tokens).map((username) => `Copy the token of ${username}`)
      expect(await readTabOrder(page, 40)).toEqual([
        'reference',
        'filter-text',
        'filter-status',
        'pause',
        'clear',
        `/api/v4/version fault ${fault.id}`,
        'freeze',
        '+1 hour',
        '+1 day',
        '+1 month',
        'instant',
        'Set',
        `End fault ${fault.id}`,
        'fault-on',
        'fault-effect',
        'fault-number',
        'fault-times',
        'Add fault',
        'reset',
        'snapshot-name',
        'Take snapshot',
        'drain',
        ...tokenButtons,
      ])
      await page.getByRole('button', { name: `${labels}/nothing` }).click()
      await page.locator('.details pre').first().waitFor()
      await screenshot('control-expanded')
      expect(await horizontalOverflow(page)).toBe(0)
      expect(await findAccessibilityFaults(page)).toEqual([])
      await page.locator('#projects').scrollIntoViewIfNeeded()
      await screenshot('control-below')
      expect(externalRequests).toEqual([])
      expect(consoleErrors).toEqual([])
    })
  })

  it('shows instructions in an empty world', async () => {
    await using empty = await fakeForge({ port: 0, time, seed: {} })
    for (const view of views) {
      await visit(`${empty.url}/_forgelet`, view, async ({ page, consoleErrors, screenshot }) => {
        for (const id of ['nothing', 'no-users', 'no-projects']) await page.locator(`#${id}`).waitFor()
        expect(await page.locator('#example').textContent()).toBe(`curl ${empty.url}/api/v4/projects`)
        await screenshot('control-empty')
        expect(await findAccessibilityFaults(page)).toEqual([])
        expect(consoleErrors).toEqual([])
      })
    }
  })

  it('shows new requests, pauses, filters and clears', async () => {
    await visit(page, desktop, async ({ page, consoleErrors }) => {
      const rows = page.locator('#rows tr:not(.details, [hidden])')
      const paths = () => rows.locator('td.path').allTextContents()
      await page.locator('#connection[data-state=live]').waitFor()
      await page.locator('#nothing').waitFor()
      await send(labels)
      await rows.nth(0).waitFor()
      expect(await rows.nth(0).locator('td').allTextContents()).toEqual([
        '12:00:00',
        'GET',
        labels,
        'labels.list',
        '200',
        expect.stringMatching(/^\d+\.\d$/),
      ])
      await page.locator('#pause').click()
      await send('/api/v4/user')
      await send(`${labels}/nothing?a=1`)
      await page.getByRole('button', { name: 'Resume (2 new)' }).click()
      await expect.poll(paths, pollOptions).toEqual([`${labels}/nothing?a=1`, '/api/v4/user', labels])

      await page.locator('#filter-text').fill('GET labels')
      expect(await paths()).toEqual([`${labels}/nothing?a=1`, labels])
      await page.locator('#filter-status').selectOption('4')
      expect(await paths()).toEqual([`${labels}/nothing?a=1`])
      expect(await page.locator('#request-count').textContent()).toBe('1 of 3')
      await page.locator('#filter-status').selectOption('cut')
      await page.locator('#show-all').click()
      expect(await rows.count()).toBe(3)

      const cut = forge.fault({ on: 'GET /user', cut: 'connection', times: 1 })
      await send('/api/v4/user').catch(() => undefined)
      expect(cut.hit).toBe(1)
      await page.locator('tr[data-class=cut] .fault').waitFor()

      await page.locator('#clear').click()
      await page.locator('#nothing').waitFor()
      await send('/api/v4/projects')
      await expect.poll(paths, pollOptions).toEqual(['/api/v4/projects'])
      // Clearing affects the page only, not the journal.
      expect(forge.journal.all.length).toBe(5)
      expect(consoleErrors).toEqual([])
    })
  })

  it('advances the clock, runs jobs and copies tokens', async () => {
    await visit(page, desktop, async ({ page, consoleErrors }) => {
      const now = page.locator('#now')
      const clock = (text: string) => expect.poll(() => now.textContent(), pollOptions).toBe(text)
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
      await clock('2026-03-10 12:00:00')
      await press('+1 hour')
      await clock('2026-03-10 13:00:00')
      await press('+1 day')
      await clock('2026-03-11 13:00:00')
      await press('+1 month')
      await clock('2026-04-11 13:00:00')
      expect(await page.locator('#message').textContent()).toMatch(/^The time is 2026-04-11 13:00:00; \d+ jobs? ran$/)
      await page.locator('#instant').fill('2027-01-02T03:04:05')
      await press('Set')
      await clock('2027-01-02 03:04:05')
      expect(new Date(forge.clock.now()).toISOString()).toBe('2027-01-02T03:04:05.000Z')
      await press('Unfreeze')
      await page.getByRole('button', { name: 'Freeze', exact: true }).waitFor()
      expect(forge.clock.frozen).toBe(false)
      await expect.poll(() => now.textContent(), pollOptions).not.toBe('2027-01-02 03:04:05')
      await press('Freeze')
      await page.getByRole('button', { name: 'Unfreeze' }).waitFor()
      expect(forge.clock.frozen).toBe(true)

      await press('Run due jobs')
      await expect
        .poll(() => page.locator('#message').textContent(), pollOptions)
        .toMatch(/^(?:No job was due|\d+ jobs? ran)$/)
      await expect
        .poll(() => page.locator('#lanes').textContent(), pollOptions)
        .toMatch(/^[a-zA-Z.]+: \d of \d running, \d+ waiting/)

      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await press('Copy the token of carol')
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), pollOptions).toBe(forge.tokens.carol)
      expect(await page.locator('#message').textContent()).toBe('Copied the token of carol')
      expect(consoleErrors).toEqual([])
    })
  })

  it('updates after a reset and after seeding', async () => {
    await visit(page, desktop, async ({ page }) => {
      await page.locator('#connection[data-state=live]').waitFor()
      await send(labels)
      await page.locator('#rows .toggle').waitFor()
      await forge.seed({ users: [{ username: 'kim', tokens: [{ secret: 'kim-token' }] }] })
      await page.getByRole('button', { name: 'Copy the token of kim' }).waitFor()
      await fetch(`${forge.url}/_forgelet/reset`, { method: 'POST' })
      await page.locator('#nothing').waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Copy the token of kim' }).count(), pollOptions).toBe(0)
    })
  })

  it('shows a lost connection and reconnects', async () => {
    const first = await fakeForge({ port: 0, time })
    const { port } = new URL(first.url)
    await visit(`${first.url}/_forgelet`, desktop, async ({ page }) => {
      await page.locator('#connection[data-state=live]').waitFor()
      await first.close()
      await page.locator('#connection[data-state=lost]').waitFor()
      await using again = await fakeForge({ port: Number(port), time })
      await page.locator('#connection[data-state=live]').waitFor()
      await fetch(`${again.url}${labels}`)
      await page.locator('#rows .toggle').waitFor()
    })
  })

  it('prompts once for the control token', async () => {
    await using guarded = await fakeForge({ port: 0, time, control: { token: 'open-sesame' } })
    await visit(`${guarded.url}/_forgelet`, phone, async ({ page, externalRequests, screenshot }) => {
      const dialog = page.getByRole('dialog', { name: 'Control token' })
      await dialog.waitFor()
      await screenshot('control-token')
      expect(await findAccessibilityFaults(page)).toEqual([])
      await page.getByLabel('Token', { exact: true }).fill('open-barley')
      await page.keyboard.press('Enter')
      await page.getByText('The token is wrong.').waitFor()
      await page.getByLabel('Token', { exact: true }).fill('open-sesame')
      await page.keyboard.press('Enter')
      await page.locator('#connection[data-state=live]').waitFor()
      expect(await dialog.count()).toBe(0)
      await page.reload()
      await page.locator('#connection[data-state=live]').waitFor()
      expect(await dialog.count()).toBe(0)
      expect(externalRequests).toEqual([])
    })
  })
})
