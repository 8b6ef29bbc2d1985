import { createRequire } from 'node:module'
import { type Collector, LockFileError } from './locked-package.ts'

type Library = typeof import('htmlparser2')

/** Elements inside each other. */
const maxDepth = 100

interface Artifact {
  groupId?: string
  artifactId?: string
  version?: string
}

interface PomContent {
  readonly dependencies: Artifact[]
  /** Versions of `dependencyManagement`, for dependencies without one. */
  readonly managed: Artifact[]
  /** Values that versions refer to: `${spring.version}`. */
  readonly properties: Map<string, string>
}

const isPart = (name: string): name is keyof Artifact =>
  name === 'groupId' || name === 'artifactId' || name === 'version'

const isProperty = (path: string) => path === 'project/version' || /^project\/properties\/[^/]+$/.test(path)

/** The declared artifacts. The parser knows the five entities of XML only, so that no text is longer than the file. */
const parse = (text: string): PomContent => {
  const { Parser } = createRequire(import.meta.url)('htmlparser2') as Library
  const content: PomContent = { dependencies: [], managed: [], properties: new Map() }
  const open: string[] = []
  let artifact: Artifact | undefined
  let value = ''
  let isProject = false
  const parser = new Parser(
    {
      onopentagname(name) {
        open.push(name)
        if (open.length > maxDepth) throw new LockFileError(`has more than ${maxDepth} nested elements`)
        const path = open.join('/')
        value = ''
        if (path === 'project') isProject = true
        if (!/^project\/(?:profiles\/profile\/)?(?:dependencyManagement\/)?dependencies\/dependency$/.test(path)) return
        artifact = {}
        content[path.includes('dependencyManagement') ? 'managed' : 'dependencies'].push(artifact)
      },
      ontext(part) {
        value += part
      },
      onclosetag(name, isImplied) {
        if (isImplied) throw new LockFileError('is not valid XML')
        const path = open.join('/')
        if (artifact && isPart(name) && path.endsWith(`dependencies/dependency/${name}`)) artifact[name] = value.trim()
        else if (isProperty(path)) content.properties.set(path.replace('project/properties/', ''), value.trim())
        if (name === 'dependency') artifact = undefined
        open.pop()
        value = ''
      },
    },
    { xmlMode: true },
  )
  parser.write(text)
  parser.end()
  if (isProject) return content
  throw new LockFileError('has no element project')
}

const nameOf = ({ groupId, artifactId }: Artifact): string | undefined =>
  groupId && artifactId ? `${groupId}/${artifactId}` : undefined

/** `pom.xml`: the dependencies that it declares, with the versions that are in the file. */
export const readMaven = (text: string, to: Collector): void => {
  const { dependencies, managed, properties } = parse(text)
  const versions = new Map(managed.map((artifact) => [nameOf(artifact), artifact.version]))
  for (const artifact of dependencies) {
    const version = artifact.version ?? versions.get(nameOf(artifact))
    const [, property] = /^\$\{(.+)\}$/.exec(version ?? '') ?? []
    const name = property?.replace(/^(?:pom\.)?(?:project\.)?version$/, 'project/version')
    to.add(nameOf(artifact), name === undefined ? version : properties.get(name))
  }
}
