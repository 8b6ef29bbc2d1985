import { getAssetPath } from '../page-assets.ts'
import type { View } from '../page-context.ts'

/** How browsers install the pages as an application (W3C Web Application Manifest). */
export const view: View = async (ctx) => {
  const { pwaName, pwaShortName, pwaDescription, pwaIcon } = (await ctx.readSettings()).appearance
  const manifest = {
    name: pwaName || 'Forgelet',
    short_name: pwaShortName || 'Forgelet',
    description: pwaDescription,
    start_url: `${ctx.base}/`,
    scope: `${ctx.base}/`,
    display: 'browser',
    icons: [
      pwaIcon === null
        ? { src: ctx.base + (await getAssetPath('icon.svg')), sizes: 'any', type: 'image/svg+xml' }
        : { src: ctx.base + pwaIcon, sizes: 'any' },
    ],
  }
  const headers = { 'Content-Type': 'application/manifest+json', 'X-Content-Type-Options': 'nosniff' }
  return { status: 200, bytes: JSON.stringify(manifest), headers }
}
