import type { Operation } from '@forgelet/core/operations'
import type { GenericSchema } from 'valibot'
import type { Responder } from '../reply/responders.ts'
import { maxBodySize as defaultBodySize } from '../request/body-limits.ts'
import type { Parameters } from '../request/parameters.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Route {
  readonly method: Method
  /** From the root: `/api/v4/projects/:id/labels`. */
  readonly path: string
  readonly operation: Operation
  // biome-ignore lint/suspicious/noExplicitAny: routes have any result
  readonly respond: Responder<any>
  /** Wire name → input name, unless it is the wire name in camelCase. */
  readonly names: Readonly<Record<string, string>>
  /** Wire name → name in errors, if different. */
  readonly errorNames: Readonly<Record<string, string>>
  /** Wire names that accept only numeric ids, or lists of them, although the operation also accepts names. */
  readonly numericOnly: readonly string[]
  /** Schemas of parameters that accept less than the operation, by wire name. */
  readonly accepts: Readonly<Record<string, GenericSchema>>
  /** Inputs that this route does not accept. */
  readonly hidden: readonly string[]
  /** The input with fields that are separate parameters; `names` and `hidden` apply to the fields, too. */
  readonly flatten: string | undefined
  /** Inputs determined by the path: `archive.zip` → `{ format: 'zip' }`. */
  readonly fixedInput: Readonly<Record<string, unknown>>
  /** Path parameters that can contain slashes, such as full paths of groups. They match as few segments as possible. */
  readonly multiSegmentParams: readonly string[]
  /** The input that receives the whole JSON body. */
  readonly body: string | undefined
  /** Wire names of files in a multipart body. The input is `{ fileName, content }`. */
  readonly files: readonly string[]
  /** The input that receives the body as a stream of bytes. The other parameters are in the path and the query. */
  readonly stream: string | undefined
  /** The input that receives the first position of the header `Content-Range`. */
  readonly rangeStart: string | undefined
  /** Bytes of the body of an authenticated request. */
  readonly maxBodySize: number
  /** Wire names that this route requires, although the operation does not. */
  readonly required: readonly string[]
  /** Statuses of errors that not every route has: 405 for states that do not permit the request, 409 for reads that select several objects, 422 for requests that cannot be carried out. */
  readonly errors: readonly (405 | 409 | 422)[]
  /** The schema of `body` for the OpenAPI document, if the operation accepts any JSON object. */
  readonly bodySchema: GenericSchema | undefined
  /**
   * Parameters by wire name that are no inputs of the operation, for the OpenAPI document; `a[b]` is the field `b` of the parameter `a`.
   * With `body`, they are in the query.
   */
  readonly wireParameters: Readonly<Record<string, GenericSchema>>
  /** Converts parameters that newer clients send for the same input. */
  readonly rewrite: ((parameters: Parameters) => Parameters) | undefined
  /** Wire name → header with the parameter for clients that send it there. Query and body take precedence. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether GitLab replies 201 to this POST. */
  readonly creates: boolean
  /** Not in the specification; clients need it. */
  readonly extension: boolean
  readonly deprecated: boolean
}

export interface RouteOptions {
  readonly names?: Readonly<Record<string, string>>
  readonly errorNames?: Readonly<Record<string, string>>
  readonly numericOnly?: readonly string[]
  readonly accepts?: Readonly<Record<string, GenericSchema>>
  readonly hidden?: readonly string[]
  readonly flatten?: string
  readonly fixedInput?: Readonly<Record<string, unknown>>
  readonly multiSegmentParams?: readonly string[]
  readonly body?: string
  readonly files?: readonly string[]
  readonly stream?: string
  readonly rangeStart?: string
  readonly maxBodySize?: number
  readonly required?: readonly string[]
  readonly errors?: readonly (405 | 409 | 422)[]
  readonly bodySchema?: GenericSchema
  readonly wireParameters?: Readonly<Record<string, GenericSchema>>
  readonly rewrite?: (parameters: Parameters) => Parameters
  readonly headers?: Readonly<Record<string, string>>
  /** False if GitLab replies 200 to this POST. */
  readonly creates?: false
  readonly extension?: true
  readonly deprecated?: true
}

/**
 * `:id` is the project in `/projects/:id/…` and the group in `/groups/:id/…`; the route then hides the other input. Routes
 * below `/user/` are about the current user, and hide the input for another one.
 */
const ownerInputs: Readonly<Record<string, string>> = { projects: 'project', groups: 'group' }

/** The inputs of an operation except these, for routes that hide all others. */
export const listInputsExcept = ({ entries }: Operation, ...names: readonly string[]): string[] =>
  Object.keys(entries).filter((name) => !names.includes(name))

const apiPrefix = '/api/v4'

/** Paths are below `/api/v4` unless they start with `/api/`, `/-/` or `/uploads/`. */
export const toFullPath = (path: string): string => (/^\/(?:api|-|uploads)\//.test(path) ? path : `${apiPrefix}${path}`)

/** Defines a route: `route('GET /projects/:id/labels', labels.list, page(LabelWire))`. `toFullPath` completes its path. */
export function route<Out>(
  line: `${Method} ${string}`,
  // biome-ignore lint/suspicious/noExplicitAny: any input; the input reader checks the names
  operation: Operation<any, Out>,
  respond: Responder<NoInfer<Out>>,
  {
    names = {},
    errorNames = {},
    numericOnly = [],
    accepts = {},
    hidden = [],
    flatten,
    fixedInput = {},
    multiSegmentParams = [],
    body,
    files = [],
    stream,
    rangeStart,
    maxBodySize = defaultBodySize,
    required = [],
    errors = [],
    bodySchema,
    wireParameters = {},
    rewrite,
    headers = {},
    creates,
    extension,
    deprecated,
  }: RouteOptions = {},
): Route {
  const [method, shortPath] = line.split(/ +/) as [Method, string]
  const path = toFullPath(shortPath)
  const owner = path.startsWith(apiPrefix) ? ownerInputs[path.split('/')[3] ?? ''] : undefined
  const hasOwner = owner !== undefined && path.split('/')[4] === ':id'
  return {
    method,
    path,
    operation,
    respond,
    names: { ...(hasOwner && { id: owner }), ...names },
    errorNames,
    numericOnly,
    accepts,
    flatten,
    fixedInput,
    hidden: [
      ...hidden,
      ...Object.keys(fixedInput),
      ...(stream === undefined ? [] : [stream]),
      ...(rangeStart === undefined ? [] : [rangeStart]),
      ...(hasOwner ? Object.values(ownerInputs).filter((name) => name !== owner) : []),
      ...(path.startsWith(`${apiPrefix}/user/`) ? ['user'] : []),
    ],
    multiSegmentParams,
    body,
    files,
    stream,
    rangeStart,
    maxBodySize,
    required,
    errors,
    bodySchema,
    wireParameters,
    rewrite,
    headers,
    creates: creates ?? method === 'POST',
    extension: extension ?? false,
    deprecated: deprecated ?? false,
  }
}

/** The status of a successful reply: 201 where a POST creates an object. `createdStatus` is that of the specification's routes. */
export const getSuccessStatus = ({ creates, extension }: Route, status: number, createdStatus = 200): number =>
  creates && status === 200 ? (extension ? 201 : createdStatus) : status
