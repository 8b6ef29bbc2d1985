import { describe } from 'vitest'
import { everyRouteOf, permissionTable } from './matrix.ts'

describe('Markdown', () => {
  permissionTable(
    `
    call           anonymous non-member guest reporter developer maintainer owner admin
    POST /markdown 200       200        200   200      200       200        200   200
    `,
    { bodies: { 'POST /markdown': { text: '*x*' } } },
  )
})

describe('Markdown with a project', () => {
  permissionTable(
    `
    call           anonymous   non-member  guest reporter developer maintainer owner admin
    POST /markdown 200·404·404 200·200·404 200   200      200       200        200   200
    `,
    {
      bodies: {
        'POST /markdown': ({ visibility }) => ({ text: '#1', gfm: true, project: `${visibility}/code` }),
      },
    },
  )
})

everyRouteOf('markdown')
