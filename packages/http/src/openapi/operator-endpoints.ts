import type { Components } from './components.ts'
import { createErrorResponse } from './error-responses.ts'
import type { Json } from './json-schema.ts'

/** The tag of these endpoints. */
export const operatorTag = 'operator endpoints'

const text: Json = { type: 'string' }
const status: Json = { type: 'string', enum: ['ok', 'failed'], description: 'Result of the check.' }

const message: Json = { type: 'string', description: 'Problem; absent if the check succeeded.' }

const check = (description: string): Json => ({
  type: 'array',
  description,
  items: { type: 'object', properties: { status, message }, required: ['status'] },
})

const livenessSchema: Json = {
  type: 'object',
  description: 'Whether the process responds.',
  properties: { status },
  required: ['status'],
}

const readinessSchema: Json = {
  type: 'object',
  description: 'Whether the server can process requests.',
  properties: {
    status,
    server_check: check('Whether the server accepts requests.'),
    database_check: check('Whether the database responds.'),
    migrations_check: check('Whether the schema of the database is current.'),
  },
  required: ['status', 'server_check'],
}

const respond = (description: string, mediaType: string, schema: Json, example: unknown): Json => ({
  description,
  content: { [mediaType]: { schema, example } },
})

const ok = { status: 'ok' }

/** The endpoints for operators, by path. They are no routes: they need no credential and run no operation. */
export const describeOperatorEndpoints = ({ add }: Components): Readonly<Record<string, Json>> => {
  const readiness = add('Readiness', readinessSchema)
  const describe = (
    name: string,
    summary: string,
    description: string,
    responses: Json,
    security: Json[] = [],
  ): Json => ({
    get: {
      operationId: `getOperator${name}`,
      summary,
      description,
      tags: [operatorTag],
      security,
      responses: { ...responses, 421: createErrorResponse(421, 'application/json', 'Error') },
    },
  })
  return {
    '/-/health': describe('Health', 'Health as text', 'One line of text while the server runs.', {
      200: respond('The server runs', 'text/plain', text, 'Forgelet OK\n'),
    }),
    '/-/liveness': describe('Liveness', 'Liveness', 'Does not use the database.', {
      200: respond('The server runs', 'application/json', add('Liveness', livenessSchema), ok),
    }),
    '/-/readiness': describe('Readiness', 'Readiness', 'The database responds and its schema is current.', {
      200: respond('The server can process requests', 'application/json', readiness, {
        ...ok,
        server_check: [ok],
        database_check: [ok],
        migrations_check: [ok],
      }),
      503: respond('At least one check failed', 'application/json', readiness, {
        status: 'failed',
        server_check: [ok],
        database_check: [{ status: 'failed', message: 'The database does not respond' }],
        migrations_check: [{ status: 'failed' }],
      }),
    }),
    '/-/metrics': describe(
      'Metrics',
      'Metrics',
      'In the text format of Prometheus; for clients on the same machine or with the metrics token.',
      {
        200: respond('The metrics', 'text/plain', text, '# TYPE http_requests_total counter\nhttp_requests_total 1\n'),
        404: createErrorResponse(404, 'application/json', 'Error'),
      },
      [{ metrics: [] }, {}],
    ),
  }
}
