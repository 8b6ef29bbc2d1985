import { isOptional } from '../packages/http/src/openapi/json-schema.ts'
import { createExampleParameters } from '../packages/http/src/openapi/operations.ts'
import { getInputReader } from '../packages/http/src/request/input-reader.ts'
import { routes } from '../packages/http/src/routes.ts'
import { toFullPath } from '../packages/http/src/routing/route.ts'

type Values = Readonly<Record<string, unknown>>

const findRoute = (line: string) => {
  const [method, path = ''] = line.split(/ +/)
  return routes.find((route) => route.method === method && route.path === toFullPath(path))
}

/**
 * The parameters of a request in the OpenAPI document, without those in the path: `POST /projects/:id/labels`.
 *
 * @public Tests of the recipes in CONTRIBUTING.md use it.
 */
export const exampleParameters = (line: string): Values => {
  const route = findRoute(line)
  if (!route) throw new Error(`${line} is no route`)
  return createExampleParameters(route)
}

/** The same for a route whose body cannot be empty; undefined for all others. */
export const findRequiredExample = (line: string): Values | undefined => {
  const route = findRoute(line)
  if (!route || route.method === 'GET' || route.method === 'DELETE' || route.files.length > 0) return undefined
  const isRequired = getInputReader(route).fields.some(
    ({ inPath, schema, wire }) => !inPath && (route.required.includes(wire) || !isOptional(schema)),
  )
  return isRequired ? createExampleParameters(route) : undefined
}
