import { getProtocol } from '../protocols/select-protocol.ts'
import type { Shape } from '../reply/wire.ts'
import { getSuccessStatus, type Route } from '../routing/route.ts'
import type { Components } from './components.ts'
import type { Json } from './json-schema.ts'

const integerHeader = (description: string): Json => ({ description, schema: { type: 'integer' } })
/** Empty on the first or last page. */
const pageHeader = (description: string): Json => ({ description, schema: { type: 'string', pattern: '^[0-9]*$' } })

const describeHeaders = ({ paged, headers = {} }: Route['respond']): Json => ({
  ...(paged && pagingHeaders),
  ...Object.fromEntries(Object.entries(headers).map(([name, description]) => [name, integerHeader(description)])),
})

const pagingHeaders: Json = {
  Link: { description: 'URLs of other pages (RFC 8288)', schema: { type: 'string' } },
  'X-Total': integerHeader('The number of items; absent above 10,000'),
  'X-Total-Pages': integerHeader('The number of pages; absent above 10,000 items'),
  'X-Per-Page': integerHeader('The maximum number of items on a page'),
  'X-Page': integerHeader('The number of this page'),
  'X-Next-Page': pageHeader('The number of the next page; empty on the last one'),
  'X-Prev-Page': pageHeader('The number of the previous page; empty on the first one'),
}

/** OpenAPI 3.1, section 4.8.14.1: the content of a file has no type. Generators read the format of earlier versions. */
export const binarySchema: Json = { type: 'string', format: 'binary' }

/** Text is a string, other files are binary. */
const describeFile = (mediaType: string): Json =>
  mediaType.startsWith('text/') ? { schema: { type: 'string' }, example: 'Hello\n' } : { schema: binarySchema }

/** JSON with a reference to an example, or to one of each alternative. */
const describeJson = (
  shapes: readonly Shape[],
  mediaType: string,
  { describeShape, addExamples }: Components,
): Json => {
  const schemas = shapes.map(describeShape)
  return {
    [mediaType]: {
      schema: schemas.length > 1 ? { anyOf: schemas } : schemas[0],
      examples: Object.assign({}, ...shapes.map(addExamples)),
    },
  }
}

const describeContent = (
  { respond: { status, shape, alternative, mediaTypes }, path }: Route,
  components: Components,
): Json | undefined => {
  if (mediaTypes) return Object.fromEntries(mediaTypes.map((type) => [type, describeFile(type)]))
  if (!shape) return undefined
  const shapes = alternative?.status === status ? [shape, alternative.shape] : [shape]
  return describeJson(shapes, getProtocol(path).mediaType, components)
}

/** The successful responses of a route, by status. */
export const describeSuccess = (route: Route, components: Components, createdStatus: number | undefined): Json => {
  const { respond, path } = route
  const { otherStatuses = [], alternative, paged, headers } = respond
  // All JSON documents have an `ETag`.
  const isCacheable = route.method === 'GET' && respond.shape !== undefined
  const content = describeContent(route, components)
  return {
    [getSuccessStatus(route, respond.status, createdStatus)]: {
      description: content ? 'Success' : 'Success, without content',
      ...((paged || headers) && { headers: describeHeaders(respond) }),
      ...(content && { content }),
    },
    ...(respond.hasRanges && { 206: { description: 'The part of the file that `Range` requests', content } }),
    ...Object.fromEntries(
      [...otherStatuses, ...(isCacheable ? [304] : [])].map((other) => [other, { description: 'Not changed' }]),
    ),
    ...(alternative &&
      alternative.status !== respond.status && {
        [alternative.status]: {
          description: alternative.description,
          content: describeJson([alternative.shape], getProtocol(path).mediaType, components),
        },
      }),
  }
}
