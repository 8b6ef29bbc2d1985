import type { Operation } from '@forgelet/core/operations'
import type { Send } from './send.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Route {
  readonly method: Method
  /** From the root: `/api/v4/projects/:id/labels`. */
  readonly path: string
  readonly operation: Operation
  // biome-ignore lint/suspicious/noExplicitAny: the table holds routes of every result
  readonly send: Send<any>
  /** Wire name → input name, where it is not plain camelCase. */
  readonly names: Readonly<Record<string, string>>
  /** Wire name → what refusals call it instead, for parameters that the service knows by another name. */
  readonly called: Readonly<Record<string, string>>
  /** Wire names that take only a row's id here, although the operation itself takes names as well. */
  readonly ids: readonly string[]
  /** Inputs that this route does not take. */
  readonly omit: readonly string[]
  /** Inputs that the address itself says: `archive.zip` is `{ format: 'zip' }`. */
  readonly given: Readonly<Record<string, unknown>>
  /** Names in the path that may hold plain slashes, as full paths of groups do: the fewest segments that fit. */
  readonly spans: readonly string[]
  /** The one input that is the whole JSON body, for protocols whose attributes are no parameters. */
  readonly body: string | undefined
  /** Wire names that are files of a multipart body: the input is `{ fileName, content }`, with the bytes. */
  readonly files: readonly string[]
  /** Wire names that must be present, although the operation itself has another way to be told. */
  readonly require: readonly string[]
  /** A POST that GitLab answers with 201. */
  readonly creates: boolean
  readonly extension: boolean
  readonly deprecated: boolean
}

interface RouteOptions {
  readonly names?: Readonly<Record<string, string>>
  readonly called?: Readonly<Record<string, string>>
  readonly ids?: readonly string[]
  readonly omit?: readonly string[]
  readonly given?: Readonly<Record<string, unknown>>
  readonly spans?: readonly string[]
  readonly body?: string
  readonly files?: readonly string[]
  readonly require?: readonly string[]
  /** False for a POST that GitLab answers with 200. */
  readonly creates?: false
  /** Not in the documents: kept so that real tools start. */
  readonly extension?: true
  readonly deprecated?: true
}

/** `:id` in `/projects/:id/…` is the project, in `/groups/:id/…` the group; what the path names cannot come otherwise. */
const owners: Readonly<Record<string, string>> = { projects: 'project', groups: 'group' }

const prefix = '/api/v4'

/**
 * One row of the table: `route('GET /projects/:id/labels', labels.list, page(LabelWire))`. Paths are below `/api/v4` unless
 * they start with `/api/` or `/-/`.
 */
export function route<Out>(
  line: `${Method} ${string}`,
  // biome-ignore lint/suspicious/noExplicitAny: any input; the names are checked when the table is read
  operation: Operation<any, Out>,
  send: Send<NoInfer<Out>>,
  {
    names = {},
    called = {},
    ids = [],
    omit = [],
    given = {},
    spans = [],
    body,
    files = [],
    require = [],
    creates,
    extension,
    deprecated,
  }: RouteOptions = {},
): Route {
  const [method, short] = line.split(/ +/) as [Method, string]
  const path = /^\/(api|-)\//.test(short) ? short : `${prefix}${short}`
  const owner = path.startsWith(prefix) ? owners[path.split('/')[3] ?? ''] : undefined
  const owned = owner !== undefined && path.split('/')[4] === ':id'
  return {
    method,
    path,
    operation,
    send,
    names: { ...(owned && { id: owner }), ...names },
    called,
    ids,
    given,
    omit: [...omit, ...Object.keys(given), ...(owned ? Object.values(owners).filter((name) => name !== owner) : [])],
    spans,
    body,
    files,
    require,
    creates: creates ?? method === 'POST',
    extension: extension ?? false,
    deprecated: deprecated ?? false,
  }
}
