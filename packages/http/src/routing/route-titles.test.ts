import { expect, it } from 'vitest'
import { routes } from '../routes.ts'
import { createRouteTitles } from './route-titles.ts'

const getTitle = createRouteTitles(routes)
const getTitleOf = (method: string, path: string) => {
  const route = routes.find((route) => route.method === method && route.path === path)
  if (!route) throw new Error(`No route ${method} ${path}`)
  return getTitle(route)
}

it.each([
  ['POST', '/api/v4/markdown', 'Markdown: render'],
  ['PUT', '/api/v4/projects/:id/labels/:label_id/promote', 'Labels: promote'],
  ['PUT', '/api/v4/groups/:id/access_requests/:user_id/approve', 'Access requests: approve (groups)'],
  ['GET', '/api/v4/projects/:id/merge_requests/:merge_request_iid/notes', 'Notes: list (merge requests)'],
  ['GET', '/api/v4/projects/:id/repository/archive.zip', 'Repository: get archive (archive.zip)'],
])('%s %s → %s', (method, path, expected) => {
  expect(getTitleOf(method, path)).toBe(expected)
})

it('has a title for every route', () => {
  for (const route of routes) expect(getTitle(route), route.path).toMatch(/^[A-Z][a-z ]+: [a-z][a-z ]*( \([\w. ]+\))?$/)
})
