import { expect, test } from 'vitest'
import { toFullPath } from '../../packages/http/src/routing/route.ts'
import { extensionCalls, unsupportedExtensions } from '../clients/extension-calls/index.ts'
import { extensionRoutes } from '../coverage/extension-routes.ts'

test('the tables of client calls contain exactly the extension routes', () => {
  const lines = [...Object.values(extensionCalls).flatMap(Object.keys), ...Object.keys(unsupportedExtensions)]
  const listed = lines.map((line) => line.replace(/ .*/, (path) => ` ${toFullPath(path.slice(1))}`))
  const routes = Object.values(extensionRoutes).flat()
  expect([
    ...routes
      .filter((line) => !listed.includes(line))
      .map((line) => `${line} is not listed: add its call, or the reason for none, to test/clients/extension-calls`),
    ...listed
      .filter((line, at) => !routes.includes(line) || listed.indexOf(line) < at)
      .map((line) => `${line} in test/clients/extension-calls is no extension route, or listed twice`),
  ]).toEqual([])
})
