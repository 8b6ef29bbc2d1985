import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { onEachFile } from '../support/each-file.ts'

const candidates = [process.env.FORGELET_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser']

/** The path of an installed Chromium; undefined without one. */
export const browserPath = candidates.find((path) => path !== undefined && existsSync(path))

if (browserPath === undefined) {
  console.warn(
    '\nSKIPPED: Chromium is not installed (apt-get install chromium); the web pages are NOT tested in a browser.\n',
  )
}

/** The folder of screenshots, ignored by git. Undefined without `FORGELET_SCREENSHOTS`. */
const screenshots = process.env.FORGELET_SCREENSHOTS ? join(import.meta.dirname, '../artefacts/pages') : undefined

/** The window sizes in which pages are tested. */
export const desktop = { name: 'desktop', width: 1280, height: 900 }
export const phone = { name: 'phone', width: 360, height: 740 }
export const views = [desktop, phone]

/** Waits for transitions: colors are between those of both schemes until they end. */
const transitionsEnd = (page: Page) =>
  page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
  })

/** Runs `work` in both color schemes. Pages follow the scheme, so they are loaded only once. */
const inColorSchemes = async <T>(page: Page, work: (colorScheme: string) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await transitionsEnd(page)
    results.push(await work(colorScheme))
  }
  return results
}

/** Replaces the list of Playwright. */
const disabledFeatures = [
  // Each loads a page with scripts, in its own process, for every new window, although the address bar is not visible.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  // Starts a process for the next page of another site.
  'SpareRendererForSitePerProcess',
  // These send requests to other servers.
  'AimEnabled',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
]

const launchArguments = [
  `--disable-features=${disabledFeatures.join()}`,
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
  /** URLs of requests to other servers. */
  readonly externalRequests: readonly string[]
  /** Errors and warnings of the console. */
  readonly consoleErrors: readonly string[]
  /** Saves screenshots of the visible part of the page in both color schemes if `FORGELET_SCREENSHOTS` is set. */
  screenshot(name: string): Promise<void>
}

let browser: Promise<Browser> | undefined
onEachFile(() =>
  afterAll(async () => {
    const launched = await browser
    browser = undefined
    await launched?.close()
  }),
)

const launchBrowser = (): Promise<Browser> => {
  browser ??= chromium.launch({ executablePath: browserPath as string, headless: true, args: launchArguments })
  return browser
}

/** Opens a page with its own cookies and storage. The pages of a test file share a browser, which starts with the first one. */
export async function visit(
  url: string,
  { name: viewName, ...viewport }: typeof desktop,
  work: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await (await launchBrowser()).newContext({ viewport })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const externalRequests: string[] = []
    const consoleErrors: string[] = []
    const { origin } = new URL(url)
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
        externalRequests.push(request.url())
    })
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') consoleErrors.push(message.text())
    })
    page.on('pageerror', (error) => consoleErrors.push(String(error)))
    await page.goto(url)
    const screenshot = async (name: string) => {
      if (screenshots === undefined) return
      mkdirSync(screenshots, { recursive: true })
      await inColorSchemes(page, (colorScheme) =>
        page.screenshot({ path: join(screenshots, `${name}-${viewName}-${colorScheme}.png`) }),
      )
    }
    await work({ page, externalRequests, consoleErrors, screenshot })
  } finally {
    await context.close()
  }
}

/** The horizontal overflow of the page, in pixels: the larger one of both color schemes. */
export const horizontalOverflow = async (page: Page): Promise<number> => {
  const measure = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  return Math.max(...(await inColorSchemes(page, measure)))
}

/** The elements that the Tab key reaches, in order, from the top of the page. Ends when the focus leaves the page. */
const pressTab = async (page: Page, limit: number) => {
  const handle = await page.evaluateHandle(() => {
    const order: { name: string; isVisible: boolean }[] = []
    const listening = new AbortController()
    const record = ({ target }: FocusEvent) => {
      const element = target as Element
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      const isVisible = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      const name = element.getAttribute('aria-label') ?? (element.id || element.textContent?.trim() || '')
      order.push({ name, isVisible })
    }
    const stopOutside = ({ relatedTarget }: FocusEvent) => {
      if (!relatedTarget) listening.abort()
    }
    // The Tab key continues at the place of the last focused element.
    const top = document.createElement('span')
    top.tabIndex = -1
    document.body.prepend(top)
    top.focus()
    top.remove()
    document.addEventListener('focusin', record, { signal: listening.signal })
    document.addEventListener('focusout', stopOutside, { signal: listening.signal })
    return order
  })
  // Like a key that is held down: the browser does not draw the page for each element.
  await Promise.all(Array.from({ length: limit }, () => page.keyboard.press('Tab')))
  return handle.jsonValue()
}

/**
 * The names or ids of the elements that the Tab key reaches. Fails if an element has no visible focus indicator in one of the color
 * schemes, or if their orders differ.
 */
export async function readTabOrder(page: Page, limit: number): Promise<string[]> {
  const orders = await inColorSchemes(page, async (colorScheme) => {
    const order = await pressTab(page, limit)
    for (const { name, isVisible } of order)
      expect(isVisible, `${name} has a visible focus indicator, ${colorScheme}`).toBe(true)
    // Tab stops several times in one date input.
    return order.map(({ name }) => name).filter((name, index, names) => name !== names[index - 1])
  })
  const [light = [], dark] = orders
  expect(dark).toEqual(light)
  return light
}

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** The rules of axe-core about colors. The others have the same result in both color schemes. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Runs axe-core with all rules, or with the given ones. */
const findViolations = (page: Page, rules?: readonly string[]) =>
  page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
    const { violations } = await axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, rules)

/** Violations found by axe-core in both color schemes: scheme, rule and elements. */
export async function findAccessibilityFaults(page: Page): Promise<string[]> {
  // Evaluated instead of added as an element, because the content security policy blocks other scripts.
  await page.evaluate(axeSource)
  const faults = await inColorSchemes(page, async (colorScheme) => {
    const violations = await findViolations(page, colorScheme === 'dark' ? colorRules : undefined)
    return violations.map((violation) => `${colorScheme}: ${violation}`)
  })
  return faults.flat()
}
