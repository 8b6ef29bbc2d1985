import { expect, it } from 'vitest'
import { routeTitles } from './route-titles.ts'
import { routes } from './routes.ts'

const title = routeTitles(routes)
const at = (method: string, path: string) => {
  const route = routes.find((route) => route.method === method && route.path === path)
  if (!route) throw new Error(`no ${method} ${path}`)
  return title(route)
}

it.each([
  ['POST', '/api/v4/markdown', 'Markdown: render'],
  ['PUT', '/api/v4/projects/:id/labels/:label_id/promote', 'Labels: promote'],
  ['PUT', '/api/v4/groups/:id/access_requests/:user_id/approve', 'Access requests: approve (groups)'],
  ['GET', '/api/v4/projects/:id/merge_requests/:merge_request_iid/notes', 'Notes: list (merge requests)'],
  ['GET', '/api/v4/projects/:id/repository/archive.zip', 'Repository: archive (archive.zip)'],
])('calls %s %s what its operation is called', (method, path, expected) => {
  expect(at(method, path)).toBe(expected)
})

it('says of every route what it is', () => {
  for (const route of routes) expect(title(route), route.path).toMatch(/^[A-Z][a-z ]+: [a-z][a-z ]*( \([\w. ]+\))?$/)
})
