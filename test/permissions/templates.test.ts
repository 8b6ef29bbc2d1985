import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

const author = { name: 'A', email: 'a@example.com' }
const files = [{ path: '.gitlab/issue_templates/Bug.md', content: 'What happened?' }]

const prepare = async ({ host }: FakeForge) => {
  for (const visibility of visibilities)
    await host.commits.import({ project: `${visibility}/code`, commits: [{ message: 'x', author, files }] })
}

const everyone = '200 200 200 200 200 200 200 200'
const rows = (cells: string, ...calls: readonly string[]) => calls.map((call) => `${call} ${cells}`)

// Columns: anonymous, non-member, guest, reporter, developer, maintainer, owner, admin.
describe('templates', () =>
  permissionTable(
    [
      ...rows(
        everyone,
        ...['gitignores', 'gitlab_ci_ymls', 'dockerfiles'].flatMap((type) => [
          `GET /templates/${type}`,
          `GET /templates/${type}/Python`,
        ]),
        'GET /templates/licenses',
        'GET /templates/licenses/mit',
      ),
      'GET /projects/:id/templates/gitignores 200·404·404 200·200·404 200 200 200 200 200 200',
      'GET /projects/:id/templates/gitignores/Node 200·404·404 200·200·404 200 200 200 200 200 200',
      // The list is empty for guests of a private project, who do not see its code.
      'GET /projects/:id/templates/issues 200·404·404 200·200·404 200 200 200 200 200 200',
      'GET /projects/:id/templates/issues/Bug 200·404·404 200·200·404 - 200 200 200 200 200',
    ].join('\n'),
    { prepare },
  ))

everyRouteOf('templates', 'project templates')
