import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Prints the loaded modules of pages and of the template library, after a request of the API and after one of a page. */
const program = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
const { createPlatform, sqlite } = await import('@forgelet/core')
const { serve } = await import('@forgelet/http')
const platform = createPlatform(sqlite(':memory:'))
const server = await serve(platform, { port: 0, jobInterval: 0, idleGrace: 0 })
const count = () => loaded.filter((url) => /page-handler|\\/pages\\/(?:views|components)\\/|\\/hono\\//.test(url)).length
await (await fetch(server.url + '/api/v4/projects')).text()
const before = count()
await (await fetch(server.url + '/-/sign_in', { headers: { Accept: 'text/html' } })).text()
const views = loaded.filter((url) => url.includes('/pages/views/')).map((url) => url.split('/').pop())
console.log(JSON.stringify({ before, hasLoaded: count() > before, views }))
await server.close()
await platform.close()
`

test('the modules of pages are loaded when a page is requested, each view by itself', () => {
  const args = ['--conditions=source', '--no-warnings', '--input-type=module', '--eval', program]
  const output = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' })
  expect(JSON.parse(output)).toEqual({ before: 0, hasLoaded: true, views: ['sign-in.ts'] })
})
