import type { Route } from './route.ts'
import { accessRequestRoutes } from './routes/access-requests.ts'
import { customAttributeRoutes } from './routes/custom-attributes.ts'
import { labelRoutes } from './routes/labels.ts'
import { markdownRoutes } from './routes/markdown.ts'
import { memberRoutes } from './routes/members.ts'
import { noteRoutes } from './routes/notes.ts'
import { snippetRoutes } from './routes/snippets.ts'

/** Every route there is. Router, OpenAPI, reference and the coverage test read this one table. */
export const routes: readonly Route[] = [...markdownRoutes, ...labelRoutes, ...memberRoutes, ...accessRequestRoutes, ...customAttributeRoutes, ...noteRoutes, ...snippetRoutes]
