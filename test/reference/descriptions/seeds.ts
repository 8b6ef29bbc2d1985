import ts from 'typescript'
import { createSeedSchema } from '../../../packages/http/src/cli/seed-schema.ts'
import { getComment } from './comments.ts'
import { getDescriptions } from './operations.ts'
import { formatPlace, getProgram, seedFile } from './program.ts'

interface OwnComment {
  readonly text: string
  readonly place: string
}

/**
 * The operations with the input fields of the same meaning, by the last part of the path in a seed. Fields without a comment
 * beside the seed schema have the description of the input field of the same name.
 */
const operationsOf: Readonly<Record<string, readonly string[]>> = {
  users: ['users.create'],
  tokens: ['tokens.create'],
  identities: ['identities.link'],
  profile: ['profiles.update'],
  keys: ['keys.add'],
  customAttributes: ['customAttributes.set'],
  groups: ['groups.create', 'groups.update'],
  projects: ['projects.create', 'projects.update'],
  size: ['projects.measure'],
  members: ['members.add'],
  shares: ['shares.add'],
  accessTokens: ['accessTokens.create'],
  deployTokens: ['deployTokens.create'],
  labels: ['labels.create'],
  milestones: ['milestones.create', 'milestones.update'],
  epics: ['epics.create'],
  issues: ['issues.create'],
  mergeRequests: ['mergeRequests.create', 'mergeRequests.update'],
  notes: ['notes.create'],
  todos: ['todos.open'],
  snippets: ['snippets.create'],
  pushes: ['events.recordPush'],
  pipelines: ['pipelines.record'],
  jobs: ['pipelines.record'],
  pipelineSchedules: ['pipelineSchedules.create'],
  pipelineTriggers: ['pipelineTriggers.create'],
  environments: ['environments.create'],
  deployments: ['deployments.create'],
  protectedEnvironments: ['protectedEnvironments.create'],
  protectedBranches: ['protectedBranches.create'],
  protectedTags: ['protectedTags.create'],
  errorTracking: ['errorTracking.configure'],
  dependencyReports: ['dependencies.report'],
  deployKeys: ['deployKeys.add'],
  pagesDomains: ['pagesDomains.create'],
  remoteMirrors: ['remoteMirrors.create'],
  containerRepositories: ['containerRepositories.create'],
  packages: ['packages.publishGeneric'],
  releases: ['releases.create'],
  variables: ['ciVariables.create'],
  hooks: ['hooks.create'],
  replicaNodes: ['replicaNodes.create', 'replicaNodes.report'],
  applications: ['applications.create'],
}

/** Comments beside `defineSection('labels', …)`, by the type of the schema of the items and the name. */
const readSections = (checker: ts.TypeChecker) => {
  const sections = new Map<ts.Type, Map<string, OwnComment>>()
  const visit = (node: ts.Node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isCallExpression(node.initializer)) {
      const [name, schema] = node.initializer.arguments
      if (node.initializer.expression.getText() === 'defineSection' && name && schema && ts.isStringLiteral(name)) {
        const text = getComment(checker.getSymbolAtLocation(node.name), checker)
        const type = checker.getTypeAtLocation(schema)
        const named = sections.get(type) ?? new Map<string, OwnComment>()
        sections.set(type, named.set(name.text, { text, place: formatPlace(node) }))
      }
    }
    ts.forEachChild(node, visit)
  }
  for (const file of getProgram().getSourceFiles()) if (file.fileName.includes('/core/src/seed/')) visit(file)
  return sections
}

const getPropertyType = (type: ts.Type, name: string, checker: ts.TypeChecker) => {
  const symbol = type.getProperty(name)
  return symbol && checker.getTypeOfSymbol(symbol)
}

/** The comments beside the entries of the seed schema, by path. */
const readOwnComments = (): ReadonlyMap<string, OwnComment> => {
  const program = getProgram()
  const checker = program.getTypeChecker()
  const sections = readSections(checker)
  const comments = new Map<string, OwnComment>()

  const walk = (schema: ts.Type, prefix: string) => {
    for (const name of ['wrapped', 'item']) {
      const inner = getPropertyType(schema, name, checker)
      if (inner) walk(inner, prefix)
    }
    const options = getPropertyType(schema, 'options', checker)
    if (options && checker.isTupleType(options)) {
      for (const option of checker.getTypeArguments(options as ts.TypeReference)) walk(option, prefix)
    }
    for (const entry of getPropertyType(schema, 'entries', checker)?.getProperties() ?? []) {
      readEntry(entry, `${prefix}${entry.name}`)
    }
  }

  /** The comment of the constant in `createdAt: Timestamp`. */
  const readConstant = (declaration: ts.Declaration | undefined) => {
    const isConstant = declaration && ts.isPropertyAssignment(declaration) && ts.isIdentifier(declaration.initializer)
    const symbol = isConstant ? checker.getSymbolAtLocation(declaration.initializer) : undefined
    const isImported = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    return getComment(isImported ? checker.getAliasedSymbol(symbol) : symbol, checker)
  }

  const readEntry = (entry: ts.Symbol, path: string) => {
    const type = checker.getTypeOfSymbol(entry)
    const list = getPropertyType(type, 'wrapped', checker)
    const item = list && getPropertyType(list, 'item', checker)
    const section = item && sections.get(item)?.get(entry.name)
    const [declaration] = entry.declarations ?? []
    const text = getComment(entry, checker) || readConstant(declaration)
    if (text && declaration) comments.set(path, { text, place: formatPlace(declaration) })
    else if (section) comments.set(path, section)
    else if (declaration) comments.set(path, { text: '', place: formatPlace(declaration) })
    walk(type, `${path}.`)
  }

  const file = program.getSourceFile(seedFile)
  const symbol = file && checker.getSymbolAtLocation(file)
  const schema = symbol && checker.getExportsOfModule(symbol).find(({ name }) => name === 'SeedSchema')
  if (!schema) throw new Error(`${seedFile} has no SeedSchema`)
  walk(checker.getTypeOfSymbol(schema), '')
  return comments
}

/** The description of the input field of the operation that creates the items of a path. */
const createFallback = () => {
  const operations = new Map(getDescriptions().operations.map((operation) => [operation.name, operation]))
  return (path: string): string => {
    const names = path.split('.')
    for (let end = names.length - 1; end > 0; end--) {
      const field = names.slice(end).join('.')
      for (const operation of operationsOf[names[end - 1] as string] ?? []) {
        const input = operations.get(operation)?.inputs.find((candidate) => candidate.path === field)
        if (input?.description) return input.description
      }
    }
    return ''
  }
}

/** The description of a property of a seed. */
export interface SeedDescription extends OwnComment {
  /** `projects.issues.title`. */
  readonly path: string
}

let descriptions: readonly SeedDescription[] | undefined

/** The description of every property of the JSON Schema of seeds, except those that the schema has at run time. */
export const getSeedDescriptions = (listPaths: (schema: unknown) => readonly string[]): readonly SeedDescription[] => {
  if (descriptions) return descriptions
  const comments = readOwnComments()
  const fallback = createFallback()
  const paths = [...new Set(listPaths(createSeedSchema()))].filter((path) => !path.startsWith('settings.'))
  descriptions = paths.map((path) => {
    const own = comments.get(path)
    return { path, text: own?.text || fallback(path), place: own?.place ?? 'packages/core/src/seed' }
  })
  return descriptions
}
