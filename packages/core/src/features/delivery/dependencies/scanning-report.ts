import { gunzipSync } from 'node:zlib'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { findPipeline } from '../../code/pipeline-records/queries.ts'
import { type PackageManager, packageManagers, severities, type Vulnerability } from './dependency.ts'
import { packageManagerOf } from './lock-files/formats.ts'
import { createCollector, fieldOf, isEntries, itemsOf, maxPackages } from './lock-files/locked-package.ts'
import { type NewDependency, replaceDependencies } from './store.ts'

/** Bytes of a report, also after decompression. */
const maxBytes = 5 * 1024 ** 2
const maxVulnerabilities = 1_000
const maxTextLength = 1_024

interface ScanningReport {
  /** Paths of the files that the report is about. */
  readonly paths: ReadonlySet<string>
  readonly dependencies: readonly NewDependency[]
}

const unreadable = (problem: string) => invalid(`The dependency scanning report ${problem}`)

const parseJson = (content: Uint8Array): unknown => {
  try {
    const isCompressed = content[0] === 0x1f && content[1] === 0x8b
    const bytes = isCompressed ? gunzipSync(content, { maxOutputLength: maxBytes }) : content
    if (bytes.byteLength <= maxBytes) return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw unreadable('is not valid JSON')
  }
  throw unreadable(`has more than ${maxBytes} bytes`)
}

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value.slice(0, maxTextLength).toWellFormed().replaceAll('\0', '')
    : undefined

/** The package managers whose files a scanner reports under another name. */
const managerNames: Readonly<Record<string, PackageManager>> = { pipenv: 'pip', setuptools: 'pip', gradle: 'maven' }

const toManager = (value: unknown, path: string): PackageManager | undefined => {
  const name = typeof value === 'string' && Object.hasOwn(managerNames, value) ? managerNames[value] : value
  return packageManagers.find((manager) => manager === name) ?? packageManagerOf(path)
}

const toVulnerability = (value: unknown): Vulnerability => {
  const [identifier] = itemsOf(fieldOf(value, 'identifiers'))
  const severity = String(fieldOf(value, 'severity')).toLowerCase()
  return {
    name:
      toText(fieldOf(value, 'name')) ?? toText(fieldOf(value, 'message')) ?? toText(fieldOf(identifier, 'name')) ?? '',
    severity: severities.find((known) => known === severity) ?? 'unknown',
  }
}

/** A name and a version as a lock file would have them; undefined for others. */
const toPackage = (dependency: unknown) => {
  const collector = createCollector()
  collector.add(fieldOf(fieldOf(dependency, 'package'), 'name'), fieldOf(dependency, 'version'))
  const [found] = collector.list()
  return found && { name: found.name, version: found.version }
}

/**
 * Reads a report in GitLab's format.
 *
 * @throws PlatformError `invalid` for one that is damaged or exceeds a limit
 */
const parseScanningReport = (content: Uint8Array): ScanningReport => {
  const report = parseJson(content)
  if (!isEntries(report) || !Array.isArray(report.vulnerabilities)) throw unreadable('has no list of vulnerabilities')
  const paths = new Set<string>()
  const managers = new Map<string, PackageManager>()
  const found = new Map<string, NewDependency & { readonly vulnerabilities: Vulnerability[] }>()
  const add = (path: unknown, dependency: unknown): Vulnerability[] | undefined => {
    const named = toPackage(dependency)
    if (typeof path !== 'string' || path === '' || path.length > maxTextLength || !named) return undefined
    const packageManager = managers.get(path) ?? packageManagerOf(path)
    if (!packageManager) return undefined
    paths.add(path)
    const key = JSON.stringify([path, named.name, named.version])
    const stored = found.get(key) ?? { ...named, packageManager, dependencyFilePath: path, vulnerabilities: [] }
    if (found.set(key, stored).size > maxPackages) throw unreadable(`has more than ${maxPackages} dependencies`)
    return stored.vulnerabilities
  }
  for (const file of itemsOf(report.dependency_files)) {
    const path = fieldOf(file, 'path')
    if (typeof path !== 'string') continue
    const manager = toManager(fieldOf(file, 'package_manager'), path)
    if (manager) managers.set(path, manager)
    if (manager && path.length <= maxTextLength) paths.add(path)
    for (const dependency of itemsOf(fieldOf(file, 'dependencies'))) add(path, dependency)
  }
  for (const vulnerability of report.vulnerabilities) {
    const location = fieldOf(vulnerability, 'location')
    const list = add(fieldOf(location, 'file'), fieldOf(location, 'dependency'))
    if (list && list.length < maxVulnerabilities) list.push(toVulnerability(vulnerability))
  }
  return { paths, dependencies: [...found.values()] }
}

/**
 * Stores the vulnerabilities of a report of a job, which replace those of the same files. Reports of other branches are ignored.
 *
 * @throws PlatformError `invalid` for a report that cannot be read
 */
export async function storeScanningReport(
  ctx: Context,
  { project }: Pick<Subjects['project'], 'project'>,
  { pipelineId }: Pick<PipelineJobRecord, 'pipelineId'>,
  content: Uint8Array,
): Promise<void> {
  const { paths, dependencies } = parseScanningReport(content)
  const { ref, tag } = await findPipeline(ctx, project.id, pipelineId)
  if (ctx.tier === 'free' || tag || ref !== project.defaultBranch) return
  const scanned = await ctx.db
    .selectFrom('dependency')
    .innerJoin('dependencyFile', (join) =>
      join
        .onRef('dependencyFile.projectId', '=', 'dependency.projectId')
        .onRef('dependencyFile.path', '=', 'dependency.dependencyFilePath'),
    )
    .where('dependency.projectId', '=', project.id)
    .select(['name', 'version', 'dependency.packageManager', 'dependencyFilePath'])
    .execute()
  // The report says nothing about them: they have no vulnerabilities. Those of the report follow and take precedence.
  const unmentioned = scanned
    .filter(({ dependencyFilePath }) => paths.has(dependencyFilePath))
    .map((row) => ({ ...row, vulnerabilities: [] }))
  await replaceDependencies(ctx, project.id, [...unmentioned, ...dependencies], (path) => paths.has(path))
}
