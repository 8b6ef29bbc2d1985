import type { App, Ask, Layer } from '../app.ts'
import type { Reply } from '../reply.ts'
import { assetText, textReply } from './asset.ts'
import { bundleEntry, findReferenceBundle, type ReferenceBundle } from './reference-bundle.ts'
import { ownPagePolicy, referencePolicy } from './security-policy.ts'

/** Where the parts of the page are: beside the addresses for operators, which are no part of the API either. */
const prefix = '/-/reference/'

const assets = new Set(['reference.js', 'pages.css', 'icon.svg'])

const wantsPage = ({ header }: Ask) => /\btext\/html\b/i.test(header('accept') ?? '')

const page = async (ask: Ask, bundle: ReferenceBundle | undefined): Promise<Reply> => {
  // Other clients get something else here.
  const headers = { Vary: 'Accept', 'Content-Security-Policy': bundle ? referencePolicy : ownPagePolicy }
  const name = bundle ? 'reference.html' : 'links.html'
  const html = await assetText(name)
  const address = bundle ? `${prefix.slice(1)}${bundle.version}/${bundleEntry}` : ''
  return textReply(ask, name, html.replaceAll('{bundle}', address), headers)
}

const part = async (ask: Ask, name: string, bundle: ReferenceBundle | undefined): Promise<Reply | undefined> => {
  if (assets.has(name)) return textReply(ask, name, await assetText(name))
  const version = `${bundle?.version}/`
  return name.startsWith(version) ? bundle?.reply(ask, name.slice(version.length)) : undefined
}

/**
 * The reference of the API at `/`, for people: an HTML page for clients that accept one, made from
 * `/api/v4/openapi.json`. Everything it needs comes from this server. Outermost, so that no fault hits it and no journal
 * tells of it.
 */
export function referencePage(find: () => Promise<ReferenceBundle | undefined> = findReferenceBundle): Layer {
  let found: Promise<ReferenceBundle | undefined> | undefined
  const bundle = () => {
    found ??= find()
    return found
  }
  const shown = async (ask: Ask, isPage: boolean, next: App): Promise<Reply> => {
    const { target, seen } = ask
    const name = target.slice(prefix.length).split('?', 1)[0] as string
    const reply = isPage ? await page(ask, await bundle()) : await part(ask, name, await bundle())
    if (!reply) return next(ask)
    if (seen) seen.route = isPage ? '/' : prefix
    return reply
  }
  return (next) => (ask) => {
    const { method, target } = ask
    const isPage = target === '/' || target.startsWith('/?')
    if (!isPage && !target.startsWith(prefix)) return next(ask)
    if ((method !== 'GET' && method !== 'HEAD') || (isPage && !wantsPage(ask))) return next(ask)
    return shown(ask, isPage, next)
  }
}
