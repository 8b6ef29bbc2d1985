import { defined } from '@forgelet/core/operations'
import type { Site } from '../reply/wire.ts'
import type { Route } from '../routing/route.ts'
import { createRouteTitles } from '../routing/route-titles.ts'
import { createComponents } from './components.ts'
import { createCurlSample } from './curl-sample.ts'
import { createErrorResponses, errorSchemas } from './error-responses.ts'
import { createFieldExamples } from './examples.ts'
import type { Json } from './json-schema.ts'
import { describeOperation, getTag } from './operations.ts'
import { describeOperatorEndpoints, operatorTag } from './operator-endpoints.ts'

const securitySchemes = {
  token: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN', description: 'A personal access token' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A personal access token; for SCIM, a SCIM token of the group',
  },
  metrics: { type: 'http', scheme: 'bearer', description: 'The metrics token of the server' },
}

type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>

/** Adds a command of curl to each operation, in the extension property that reference pages read. */
const addSamples = (paths: Paths, schemas: Readonly<Record<string, Json>>, serverUrl: string): Paths => {
  const getSchema = (reference: string) => defined(schemas[reference.slice(reference.lastIndexOf('/') + 1)])
  const addSample = (method: string, path: string, operation: Json): Json => {
    const source = createCurlSample(method, path, operation, serverUrl, getSchema)
    return { ...operation, 'x-codeSamples': [{ lang: 'shell', label: 'curl', source }] }
  }
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, addSample(method, path, operation)]),
      ),
    ]),
  )
}

/**
 * Creates the OpenAPI 3.1 document of the API from the table of routes.
 *
 * @param createdStatus the status of creations by the routes of the specification. Default 200
 */
export function createOpenApiDocument(routes: readonly Route[], site: Site, createdStatus?: number): Json {
  const paths: Record<string, Record<string, Json>> = {}
  const components = createComponents()
  const getTitle = createRouteTitles(routes)
  for (const route of routes) {
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}')
    const operation = describeOperation(route, getTitle(route), components, createdStatus)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  Object.assign(paths, describeOperatorEndpoints(components))
  const tags = [...new Set([...routes.map(getTag), operatorTag])]
    .sort()
    .map((name) => ({ name, description: `Operations on ${name}` }))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forgelet',
      version: '4',
      description:
        'A software forge that implements version 4 of the GitLab API. A read that names a project or a group by a path that it no longer has is redirected with 301 to the same URL with the id; other requests are refused with 405.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.url }],
    tags,
    paths: addSamples(paths, components.schemas, site.url),
    components: {
      securitySchemes,
      responses: createErrorResponses(routes),
      examples: components.createExamples(createFieldExamples(routes)),
      schemas: Object.fromEntries(Object.entries({ ...components.schemas, ...errorSchemas }).sort()),
    },
  }
}
