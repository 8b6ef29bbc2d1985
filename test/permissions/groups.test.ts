import { everyRouteOf, permissionTable } from './matrix.ts'

permissionTable(`
  call                            anonymous   non-member  guest reporter developer maintainer owner admin
  GET /groups                     200         200         200   200      200       200        200   200
  GET /groups/:id                 200·404·404 200·200·404 200   200      200       200        200   200
  GET /groups/:id/subgroups       200·404·404 200·200·404 200   200      200       200        200   200
  GET /groups/:id/projects        200·404·404 200·200·404 200   200      200       200        200   200
  GET /groups/:id/projects/shared 200·404·404 200·200·404 200   200      200       200        200   200
`)

everyRouteOf('groups')
