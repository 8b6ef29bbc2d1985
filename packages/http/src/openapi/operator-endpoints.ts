import type { Components } from './components.ts'
import { createErrorResponse } from './error-responses.ts'
import type { Json } from './json-schema.ts'

/** The tag of these endpoints. */
export const operatorTag = 'operator endpoints'

const text: Json = { type: 'string' }
const status: Json = { enum: ['ok', 'failed'] }

const check: Json = {
  type: 'array',
  items: { type: 'object', properties: { status, message: text }, required: ['status'] },
}

const livenessSchema: Json = { type: 'object', properties: { status }, required: ['status'] }

const readinessSchema: Json = {
  type: 'object',
  properties: { status, server_check: check, database_check: check, migrations_check: check },
  required: ['status', 'server_check'],
}

const respond = (description: string, mediaType: string, schema: Json): Json => ({
  description,
  content: { [mediaType]: { schema } },
})

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
      200: respond('The server runs', 'text/plain', text),
    }),
    '/-/liveness': describe('Liveness', 'Liveness', 'Does not use the database.', {
      200: respond('The server runs', 'application/json', add('Liveness', livenessSchema)),
    }),
    '/-/readiness': describe('Readiness', 'Readiness', 'The database responds and its schema is current.', {
      200: respond('The server can process requests', 'application/json', readiness),
      503: respond('At least one check failed', 'application/json', readiness),
    }),
    '/-/metrics': describe(
      'Metrics',
      'Metrics',
      'In the text format of Prometheus; for clients on the same machine or with the metrics token.',
      {
        200: respond('The metrics', 'text/plain', text),
        404: createErrorResponse(404, 'application/json', 'Error'),
      },
      [{ metrics: [] }, {}],
    ),
  }
}
