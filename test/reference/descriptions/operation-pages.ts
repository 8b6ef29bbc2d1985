import { features } from '../../../packages/core/src/features.ts'
import { describePermittedUsers } from '../../../packages/http/src/openapi/permissions.ts'
import { routes } from '../../../packages/http/src/routes.ts'
import { getOperationName } from '../../../packages/http/src/routing/operation-names.ts'
import type { Route } from '../../../packages/http/src/routing/route.ts'
import type { DescribedOperation, Descriptions, Field, ResultType } from './operations.ts'
import { getDescriptions } from './read-comments.ts'

const featureNames = Object.keys(features)

const getFeature = ({ name }: DescribedOperation) => name.slice(0, name.indexOf('.'))
const getFolder = (place: string) => /\/features\/[\w-]+\/([\w-]+)\//.exec(place)?.[1]

/** `mergeRequests` → `merge-requests`. */
const toFileName = (feature: string) => feature.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const toTitle = (feature: string) =>
  feature.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (letter) => letter.toUpperCase())

const escapeCell = (text: string) => text.replaceAll('|', '\\|')

const fieldTable = (head: string, fields: readonly Field[]) => {
  const rows = fields.map(
    ({ path, isOptional, type, description }) =>
      `| \`${path}${isOptional ? '?' : ''}\` | \`${escapeCell(type.replace(/ \| undefined$/, ''))}\` | ${escapeCell(description)} |`,
  )
  return [`| ${head} | Type | Description |`, '| --- | --- | --- |', ...rows].join('\n')
}

const routesByName = Map.groupBy(routes, ({ operation }: Route) => getOperationName(operation))

const describeRoutes = (name: string) => {
  const lines = (routesByName.get(name) ?? []).map(
    ({ method, path }) => `\`${method} ${path.replace(/^\/api\/v4/, '')}\``,
  )
  return lines.length ? `Routes: ${lines.join(', ')}` : 'No route: the operation is part of the library only.'
}

const describeUsers = (name: string) => {
  const [feature, verb] = name.split('.') as [string, string]
  const table = features as unknown as Readonly<Record<string, Readonly<Record<string, Route['operation']>>>>
  return `Allowed to: ${describePermittedUsers({ path: '', operation: table[feature]?.[verb] as Route['operation'] })}.`
}

/** The page of each type: of the feature that declares it, else of the first one that returns it. */
const assignTypes = ({ operations, types }: Descriptions): ReadonlyMap<string, string> => {
  const byFolder = new Map<string | undefined, string>()
  for (const operation of operations) {
    const folder = getFolder(operation.place)
    if (!byFolder.has(folder)) byFolder.set(folder, getFeature(operation))
  }
  const isUsedBy = (name: string) => (operation: DescribedOperation) => operation.types.includes(name)
  const getPage = ({ name, place }: ResultType) => {
    const folder = getFolder(place)
    const user = operations.find(isUsedBy(name))
    return (folder && byFolder.get(folder)) ?? (user ? getFeature(user) : 'projects')
  }
  return new Map([...types.values()].map((type) => [type.name, getPage(type)]))
}

const operationsFolder = 'reference/operations'

const createWriter = (descriptions: Descriptions) => {
  const pageOfType = assignTypes(descriptions)

  const linkType = (name: string, feature: string) => {
    const page = pageOfType.get(name) as string
    return `[\`${name}\`](${page === feature ? '' : `${toFileName(page)}.md`}#${name.toLowerCase()})`
  }

  const describeResult = ({ result, resultFields, types }: DescribedOperation, feature: string) => {
    if (result === 'void') return ['Result: none']
    const type = result.includes('{') ? 'an object with these fields' : `\`${result}\``
    const links = types.map((name) => linkType(name, feature))
    const isPage = result.startsWith('Page<')
    return [
      `Result: ${type}${links.length ? `; types ${links.join(', ')}` : ''}`,
      ...(resultFields.length && !isPage ? [fieldTable('Field', resultFields)] : []),
    ]
  }

  const describeOperation = (operation: DescribedOperation, feature: string) =>
    [
      `## ${operation.name}`,
      operation.description,
      describeUsers(operation.name),
      describeRoutes(operation.name),
      ...(operation.inputs.length ? [fieldTable('Input', operation.inputs)] : []),
      ...describeResult(operation, feature),
    ]
      .filter(Boolean)
      .join('\n\n')

  const describeType = ({ name, description, fields }: ResultType) =>
    [`### ${name}`, description, ...(fields.length ? [fieldTable('Field', fields)] : [])].filter(Boolean).join('\n\n')

  return (feature: string): string => {
    const operations = descriptions.operations.filter((operation) => getFeature(operation) === feature)
    const types = [...descriptions.types.values()].filter(({ name }) => pageOfType.get(name) === feature)
    return `${[
      `# ${toTitle(feature)}`,
      `Operations of \`platform.${feature}\`. [All operations](../operations.md)`,
      ...operations.map((operation) => describeOperation(operation, feature)),
      ...(types.length ? ['## Types', ...types.map(describeType)] : []),
    ].join('\n\n')}\n`
  }
}

/** `labels` for `packages/core/src/features/planning/labels/operations.ts:12`. */
const toFolder = (place: string): string => place.split('/').slice(4, -1).join('/')

const listFolders = (operations: readonly DescribedOperation[]): string =>
  [...new Set(operations.map(({ place }) => toFolder(place)))].map((folder) => `\`${folder}\``).join(', ')

const createIndexPage = ({ operations }: Descriptions): string => {
  const rows = featureNames.map((feature) => {
    const own = operations.filter((operation) => getFeature(operation) === feature)
    const names = own.map(({ name }) => `\`${name.split('.')[1]}\``)
    return `| [${toTitle(feature)}](operations/${toFileName(feature)}.md) | ${names.join(', ')} | ${listFolders(own)} |`
  })
  return `# Operations

All ${operations.length} operations of the library, with their input fields, results and routes. The texts are the comments beside the code;
editors, the OpenAPI document and \`forgelet operations\` show the same ones. In responses of the HTTP API, fields have snake case.
A list returns a \`Page\`: \`items\`, \`page\`, \`perPage\`, \`total\`, \`hasNext\` and, with keyset pagination, \`nextCursor\`.
\`pnpm docs:reference\` generates these pages, and a test checks that they are up to date.

The last column names the folders in \`packages/core/src/features/\`.

| Family | Operations | Code |
| --- | --- | --- |
${rows.join('\n')}
`
}

/** The pages of all operations, by path relative to `docs`. */
export const createOperationPages = (): ReadonlyMap<string, string> => {
  const descriptions = getDescriptions()
  const write = createWriter(descriptions)
  return new Map([
    ['reference/operations.md', createIndexPage(descriptions)],
    ...featureNames.map((feature) => [`${operationsFolder}/${toFileName(feature)}.md`, write(feature)] as const),
  ])
}
