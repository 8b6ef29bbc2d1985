import type { Route } from './route.ts'
import { labelRoutes } from './routes/labels.ts'

/** Every route there is. Router, OpenAPI, reference and the coverage test read this one table. */
export const routes: readonly Route[] = [...labelRoutes]
