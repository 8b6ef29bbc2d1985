import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'

const candidates = [process.env.FORGELET_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser']

/** A Chromium of this machine; undefined where there is none. */
export const browserPath = candidates.find((path) => path !== undefined && existsSync(path))

if (browserPath === undefined) {
  console.warn('\nSKIPPED: there is no Chromium here (apt-get install chromium): nobody looked at the pages.\n')
}

/** Where the pictures are kept: not in git. */
const pictures = join(import.meta.dirname, '../artefacts/pages')

/** The widths and colours in which a page is looked at. */
export const views = [
  { name: 'desktop-light', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'desktop-dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone-light', width: 360, height: 740, colorScheme: 'light' },
  { name: 'phone-dark', width: 360, height: 740, colorScheme: 'dark' },
] as const

export type View = (typeof views)[number]

const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Visit {
  readonly page: Page
  /** What was asked of other servers than the page's own, and what its console complained about. */
  readonly outside: readonly string[]
  readonly complaints: readonly string[]
  /** Keeps a picture of what is in view. */
  picture(name: string): Promise<void>
}

/** Opens one page in a browser of its own, with a profile that nothing is left of. */
export async function visit(url: string, view: View, work: (visit: Visit) => Promise<void>): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'forgelet-chromium-'))
  let context: BrowserContext | undefined
  try {
    context = await chromium.launchPersistentContext(profile, {
      executablePath: browserPath as string,
      headless: true,
      args: launchArguments,
      viewport: { width: view.width, height: view.height },
      colorScheme: view.colorScheme,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const outside: string[] = []
    const complaints: string[] = []
    const { origin } = new URL(url)
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
        outside.push(request.url())
    })
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(url)
    const picture = async (name: string) => {
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `${name}-${view.name}.png`) })
    }
    await work({ page, outside, complaints, picture })
  } finally {
    await context?.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** How far the page can be scrolled sideways, in pixels. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * What the Tab key reaches, in that order, from the top of the page: by the name or id of each thing. Ends where the focus
 * leaves the page, and fails when one of them does not show that it has the focus.
 */
export async function tabOrder(page: Page, most: number): Promise<string[]> {
  const reached: string[] = []
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  for (let count = 0; count < most; count++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return undefined
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      const isVisible = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      return {
        name: element.getAttribute('aria-label') ?? (element.id || element.textContent?.trim() || ''),
        isVisible,
      }
    })
    if (!focused) break
    expect(focused.isVisible, `${focused.name} shows that it has the focus`).toBe(true)
    // The fields of a date are one thing that Tab stops in several times.
    if (reached.at(-1) !== focused.name) reached.push(focused.name)
  }
  return reached
}

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe-core finds that is serious or critical: rule and elements. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Evaluated, not added as an element: the page's own policy lets in no script of others.
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    return (await axe.run()).violations
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
